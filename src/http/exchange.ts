import type { Identity } from "../identity.ts";
import type { Json } from "../json.ts";

/**
 * One HTTP request as plain values, and the place where its handlers note what they learnt.
 * Nothing past the listener touches a socket.
 */
export interface Exchange {
  /** The client's `X-Request-Id`, or one that the listener made. Echoed on the reply. */
  readonly id: string;
  /** Upper-case verb. */
  readonly method: string;
  /** Path and query as they came, for the journal. */
  readonly target: string;
  /** The path alone, as it came. */
  readonly path: string;
  /** The raw query without `?`; empty when there is none. */
  readonly query: string;
  /** Flat lower-case map; repeated values joined with `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Names and values in turn, as they came: the only place where a header sent twice can be seen. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Calls back once when the client goes away before its answer was sent whole. */
  onAbort(listener: () => void): void;
  /** One item for each journal record this exchange makes; an exchange that notes nothing makes none. */
  readonly facts: ExchangeFacts[];
}

/** What a handler learnt of one message of an exchange: all that a journal record holds beyond the HTTP values. */
export interface ExchangeFacts {
  service: string | null;
  identity: Identity | null;
  /** The request as parsed, for the journal's `body`. */
  body: Json;
  /** What was answered to this message. */
  answer?: Json;
  /** One more level of facts, owned by the service that noted it. */
  mcp?: import("../journal/journal.ts").McpFacts;
  /** Text of what crashed. */
  error?: string;
}

/** Writes server-sent events; `closed` when either side ended the stream. */
export interface EventSink {
  readonly closed: boolean;
  send(event: { data: string; event?: string; id?: string; retry?: number }): void;
  comment(text: string): void;
  close(): void;
}

/** What a mount answers. */
export type Reply =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Called once when the head has been sent; the stream lives until either side closes it. */
      readonly stream: (sink: EventSink) => void;
    };

/** Answers the requests below one path, or says "not mine" with `undefined`. */
export interface Mount {
  /** `rest` is the part of the path after the mount's own, `""` for its root. */
  handle(exchange: Exchange, rest: string): Reply | undefined | Promise<Reply | undefined>;
}

/** A JSON reply. */
export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(value) };
}
