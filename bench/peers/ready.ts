import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Tells the bench that this peer listens, and answers what its calls have cost so far. */
export function tellReady(port: number): void {
  process.on("message", (asked) => {
    if (asked === "usage") process.send?.({ cpu: process.cpuUsage(), memory: process.memoryUsage().rss });
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.({ port });
}

/** Listens on a free port and tells so. */
export function ready(server: Server): void {
  server.keepAliveTimeout = 65_000;
  server.listen(0, "127.0.0.1", () => tellReady((server.address() as AddressInfo).port)); // TCP always has one
}
