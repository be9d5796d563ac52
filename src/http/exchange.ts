import type { ExchangeFacts } from "../journal/facts.ts";

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
  readonly headers: Headers;
  /** Names and values in turn, as they came: the only place where a header sent twice can be seen. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Calls back once when the client goes away before its answer was sent whole; at once when it has gone already. */
  onAbort(listener: () => void): void;
  /**
   * Leaves what was learnt of one message for the journal: one record each, made when the reply leaves, or at once when
   * its head has left already. An exchange that notes nothing makes none.
   */
  note(facts: ExchangeFacts): void;
}

export type Headers = Readonly<Record<string, string | undefined>>;

/** One server-sent event. Without `data` it is dispatched to nobody: it only sets the client's retry time or last id. */
export interface ServerSentEvent {
  readonly data?: string;
  readonly event?: string;
  readonly id?: string;
  readonly retry?: number;
}

/** Writes server-sent events. */
export interface EventSink {
  /** True once either side has ended the stream. */
  readonly closed: boolean;
  send(event: ServerSentEvent): void;
  /** Writes text or bytes as they stand, whatever it does to the stream. */
  raw(text: string | Uint8Array): void;
  comment(text: string): void;
  close(): void;
  /** Tears the connection, so that the client sees a stream that broke off. */
  abort(): void;
  /** Calls back once when the stream has ended, whoever ended it. */
  onClose(listener: () => void): void;
}

/** What a mount answers: a whole body, a head and a stream that lives until either side closes it, or nothing. */
export type Reply = BodyReply | StreamReply | NoReply;

/** No answer, on purpose: the connection is torn, or left as it is until the client or the server goes. */
export interface NoReply {
  readonly status: 0;
  readonly headers: Readonly<Record<string, string>>;
  readonly none: "reset" | "hang";
}

export interface BodyReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface StreamReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** True for a body that only comes in pieces: without the headers of an event stream. */
  readonly bare?: boolean;
  /** Called once, when the head has been sent. */
  readonly stream: (sink: EventSink) => void;
}

/** Answers the requests below one path, or says "not mine" with `undefined`. */
export interface Mount {
  /** `rest` is the part of the path after the mount's own, `""` at its root. */
  handle(exchange: Exchange, rest: string): Reply | undefined | Promise<Reply | undefined>;
}

/** A reply whose body is the JSON text of `value`. */
export function jsonReply(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): BodyReply {
  return jsonTextReply(status, JSON.stringify(value), headers);
}

/** A reply whose body is JSON text that is there already. */
export function jsonTextReply(status: number, body: string, headers?: Readonly<Record<string, string>>): BodyReply {
  return { status, headers: headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers }, body };
}

const JSON_HEADERS = { "content-type": "application/json" };
