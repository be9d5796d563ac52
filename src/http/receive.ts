import type { IncomingMessage, ServerResponse } from "node:http";
import type { ExchangeFacts } from "../journal/facts.ts";
import type { Exchange } from "./exchange.ts";

/** An exchange as its listener holds it. */
export interface OpenExchange extends Exchange {
  /** From now on, a client that goes away is noticed. Costs a listener, which an answer that left at once can do without. */
  watch(): void;
  /** The reply leaves now, with `chars` in its body: what was noted is recorded with its status. */
  leave(status: number, chars: number): void;
}

/** Takes what an exchange noted of its messages. `chars` is the length of the reply's body. */
export type Recorder = (
  exchange: Exchange,
  facts: readonly ExchangeFacts[],
  sent: { readonly status: number; readonly chars: number },
) => void;

export interface Received {
  readonly id: string;
  readonly body: string;
  readonly record: Recorder;
}

/** A request as plain values. */
export function toExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { id, body, record }: Received,
): OpenExchange {
  const target = request.url ?? "/";
  const mark = target.indexOf("?");
  const noted: ExchangeFacts[] = [];
  let sent: number | null = null;
  let toldOfAbort: readonly (() => void)[] | null = null;
  let isWatched = false;
  const exchange: OpenExchange = {
    id,
    method: request.method ?? "GET",
    target,
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? "" : target.slice(mark + 1),
    headers: flatHeaders(request),
    rawHeaders: request.rawHeaders,
    body,
    startedAt: Date.now(),
    onAbort(listener) {
      if (!response.destroyed) toldOfAbort = toldOfAbort === null ? [listener] : [...toldOfAbort, listener];
      else if (!response.writableFinished) listener();
    },
    watch() {
      if (isWatched) return;
      isWatched = true;
      response.on("close", () => {
        if (!response.writableFinished) for (const listener of toldOfAbort ?? []) listener();
      });
    },
    note(facts) {
      if (sent === null) noted.push(facts);
      else record(exchange, [facts], { status: sent, chars: JSON.stringify(facts.answer ?? null).length });
    },
    leave(status, chars) {
      sent = status;
      record(exchange, noted, { status, chars });
    },
  };
  return exchange;
}

/** Node keeps repeated `set-cookie` as a list, which no request to a mock needs; all else is flat already. */
function flatHeaders(request: IncomingMessage): Record<string, string | undefined> {
  const headers = request.headers;
  const cookies = headers["set-cookie"];
  if (cookies === undefined) return headers as Record<string, string | undefined>; // flat but for set-cookie, by Node's own rule
  return { ...headers, "set-cookie": cookies.join(", ") } as Record<string, string | undefined>;
}
