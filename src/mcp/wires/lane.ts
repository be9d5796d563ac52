import type { EventSink } from "../../http/exchange.ts";

/** One stream of messages to a client, which may outlive the connections that carry it. */
export interface Lane {
  /** True once the lane has ended: nothing can be sent any more. */
  readonly ended: boolean;
  /** True while a connection carries it. */
  readonly attached: boolean;
  /** Carries on over this connection: what waits goes out at once, after `lastEvent` when the client names one. */
  attach(sink: EventSink, lastEvent?: number): void;
  send(text: string): void;
  /** Closes the connection while the lane lives on: the client is told to come back after `retryMs`. */
  detach(retryMs: number): void;
  /** Ends the lane; what was sent can still be replayed. */
  end(): void;
  /** Ends the lane as a fault does: the connection breaks off. */
  abort(): void;
}

export interface LaneOptions {
  /** Prefix of its event ids; `null` for a lane without ids, which cannot be resumed. */
  readonly name: string | null;
  /** Whether the first event is an empty one that only tells its id (MCP 2025-11-25, Transports). */
  readonly prime: boolean;
}

/** Enough to bridge a reconnection; a client that stays away longer misses the oldest. */
const EVENTS_MAX = 1000;

export function createLane({ name, prime }: LaneOptions): Lane {
  /** Messages that a client may still ask for; `number` counts from 1, 0 is the priming event. */
  let events: { readonly number: number; readonly text: string }[] = [];
  let last = 0;
  let delivered = 0;
  let sink: EventSink | null = null;
  let ended = false;
  /** A detach that came before there was a connection. */
  let leaving: number | null = null;

  const isAttached = () => sink !== null && !sink.closed;

  function write({ number, text }: { number: number; text: string }): void {
    delivered = number;
    sink?.send(
      name === null ? { event: "message", data: text } : { event: "message", id: `${name}-${number}`, data: text },
    );
  }

  function detach(retryMs: number): void {
    leaving = sink === null ? retryMs : null;
    if (sink === null) return;
    sink.send(prime ? { id: `${name}-${delivered}`, retry: retryMs, data: "" } : { retry: retryMs });
    sink.close();
    sink = null;
  }

  return {
    get ended() {
      return ended;
    },
    get attached() {
      return isAttached();
    },
    attach(next, lastEvent) {
      sink?.close();
      sink = next;
      if (lastEvent === undefined && prime) next.send({ id: `${name}-${delivered}`, data: "" });
      for (const event of events.filter(({ number }) => number > (lastEvent ?? delivered))) write(event);
      if (name === null) events = [];
      if (leaving !== null) detach(leaving);
      if (ended) next.close();
    },
    send(text) {
      if (ended) return;
      const event = { number: ++last, text };
      if (name !== null || sink === null) events.push(event);
      if (events.length > EVENTS_MAX) events.shift();
      if (isAttached()) write(event);
    },
    detach,
    end() {
      ended = true;
      sink?.close();
    },
    abort() {
      ended = true;
      sink?.abort();
    },
  };
}
