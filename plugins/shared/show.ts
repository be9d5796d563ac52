import { inspect } from "node:util";

/** A value that was given in place of an allowed one, in one line: strings are quoted, so that "2" is not 2. */
export function show(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : inspect(value, { depth: 1, breakLength: Infinity });
}
