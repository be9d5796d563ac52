import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { LIMITS, type LimitName, type Limits } from "../limits.ts";
import { type BodyReply, jsonReply } from "./exchange.ts";

const TITLES = {
  requestLine: "Request line too long",
  headers: "Request headers too large",
  body: "Request body too large",
  requestTime: "Request took too long to arrive",
  streams: "Too many open event streams",
} as const satisfies Partial<Record<LimitName, string>>;

/** The limits that the listener itself refuses a request for. */
export type DoorLimit = keyof typeof TITLES;

/** Counts a request that is past a limit, and makes its answer. */
export function tooMuch(limits: Limits, limit: DoorLimit): BodyReply {
  limits.hit(limit);
  const { status, unit } = LIMITS[limit];
  return jsonReply(status, {
    error: `${TITLES[limit]}: the limit is ${limits.max[limit]}${unit === "count" ? "" : ` ${unit}`}`,
  });
}

/** What Node's own parser gives up on; there is no request and no response then, only the connection. */
const PARSER_LIMITS: Readonly<Record<string, DoorLimit>> = {
  HPE_HEADER_OVERFLOW: "headers",
  ERR_HTTP_REQUEST_TIMEOUT: "requestTime",
};

/** Answers a connection whose request could not be parsed, under an id of the server's own, and closes it. */
export function refuseSocket(limits: Limits, socket: Duplex, { error, id }: { error: Error; id: string }): void {
  const code = "code" in error ? String(error.code) : "";
  const limit = PARSER_LIMITS[code];
  const reply =
    limit === undefined ? jsonReply(400, { error: `Not an HTTP request: ${error.message}` }) : tooMuch(limits, limit);
  if (!socket.writable || code === "ECONNRESET") return void socket.destroy();
  const head = [
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ""}`,
    `x-request-id: ${id}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(reply.body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${reply.body}`, () => socket.destroy());
}
