import type { IncomingMessage, ServerResponse } from "node:http";
import { isLocalOrigin } from "./origin.ts";

/**
 * Lets pages of this machine read what a server answers: test environments such as happy-dom and jsdom send their
 * requests as a browser would. A page from elsewhere gets none of these headers (and on loopback a 403).
 *
 * True when the request was a preflight; it is answered then. Source: Fetch standard, CORS protocol.
 */
export function allowLocalPages(request: IncomingMessage, response: ServerResponse, requestId: string): boolean {
  const { origin } = request.headers;
  if (origin === undefined || !isLocalOrigin(origin)) return false;
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("vary", "origin");
  const method = request.headers["access-control-request-method"];
  if (request.method !== "OPTIONS" || method === undefined) {
    response.setHeader("access-control-expose-headers", "mcp-session-id, x-request-id, x-total-count, retry-after");
    return false;
  }
  const headers = request.headers["access-control-request-headers"];
  if (headers !== undefined) response.setHeader("access-control-allow-headers", headers);
  response.setHeader("access-control-allow-methods", method);
  response.writeHead(204, { "x-request-id": requestId }).end();
  return true;
}
