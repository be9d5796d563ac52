import type { IncomingMessage, ServerResponse } from "node:http";
import type { ExchangeFacts } from "../journal/facts.ts";
import type { Exchange, Headers } from "./exchange.ts";

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
  readonly headers: Headers;
  readonly body: string;
  readonly record: Recorder;
}

/** A request as plain values. */
export function toExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { id, headers, body, record }: Received,
): OpenExchange {
  const target = request.url ?? "/";
  const mark = target.indexOf("?");
  // One of each is what nearly every exchange has: a list that begins with it takes the least room.
  let noted: ExchangeFacts[] | null = null;
  let toldOfAbort: (() => void)[] | null = null;
  let sent: number | null = null;
  let isWatched = false;
  const exchange: OpenExchange = {
    id,
    method: request.method ?? "GET",
    target,
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? "" : target.slice(mark + 1),
    headers,
    rawHeaders: request.rawHeaders,
    body,
    startedAt: Date.now(),
    onAbort(listener) {
      if (response.destroyed) {
        if (!response.writableFinished) listener();
      } else if (toldOfAbort === null) toldOfAbort = [listener];
      else toldOfAbort.push(listener);
    },
    watch() {
      if (isWatched) return;
      isWatched = true;
      response.on("close", () => {
        if (!response.writableFinished) for (const listener of toldOfAbort ?? []) listener();
      });
    },
    note(facts) {
      if (sent !== null)
        record(exchange, [facts], { status: sent, chars: JSON.stringify(facts.answer ?? null).length });
      else if (noted === null) noted = [facts];
      else noted.push(facts);
    },
    leave(status, chars) {
      sent = status;
      if (noted !== null) record(exchange, noted, { status, chars });
    },
  };
  return exchange;
}
