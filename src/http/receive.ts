import type { IncomingMessage, ServerResponse } from "node:http";
import type { ExchangeFacts } from "../journal/facts.ts";
import type { Exchange } from "./exchange.ts";

/** A request as plain values. `body` holds all that came. */
export function toExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { id, body }: { id: string; body: readonly Buffer[] },
): Exchange {
  const target = request.url ?? "/";
  const mark = target.indexOf("?");
  const facts: ExchangeFacts[] = [];
  return {
    id,
    method: request.method ?? "GET",
    target,
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? "" : target.slice(mark + 1),
    headers: flatHeaders(request),
    rawHeaders: request.rawHeaders,
    body: decode(body),
    startedAt: Date.now(),
    facts,
    onAbort(listener) {
      response.once("close", () => {
        if (!response.writableFinished) listener();
      });
    },
  };
}

/** Node keeps repeated `set-cookie` as a list, which no request to a mock needs; all else is flat already. */
function flatHeaders(request: IncomingMessage): Record<string, string | undefined> {
  const headers = request.headers;
  const cookies = headers["set-cookie"];
  if (cookies === undefined) return headers as Record<string, string | undefined>; // flat but for set-cookie, by Node's own rule
  return { ...headers, "set-cookie": cookies.join(", ") } as Record<string, string | undefined>;
}

function decode(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  if (first === undefined) return "";
  return chunks.length === 1 ? first.toString() : Buffer.concat(chunks).toString();
}
