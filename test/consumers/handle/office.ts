import { EventEmitter } from "node:events";

const office = new EventEmitter();
setInterval(() => office.emit("tick"), 5).unref();

/** Does work in nobody's context: the office was set going before any test. */
export function inTheOffice<T>(work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => office.once("tick", () => work().then(resolve, reject)));
}
