import type { ServerSentEvent } from "../http/exchange.ts";

/** The ways in which an entry's answer can go wrong on purpose, on the way or in itself. */
export const FAULTS = [
  "reset",
  "hang",
  "cut-stream",
  "bad-json",
  "wrong-id",
  "http-401",
  "http-403",
  "http-404",
  "http-429",
  "http-500",
  "http-503",
  "expire-session",
  "tool-gone",
  "no-structured-content",
  "bad-structured-content",
] as const;

/** The ways in which only what the server itself answers can go wrong: its handshake and its lists. */
export const SERVER_FAULTS = ["wrong-version", "bad-cursor", "duplicate-tool"] as const;

export type FaultWord = (typeof FAULTS)[number];

export type ServerFaultWord = (typeof SERVER_FAULTS)[number];

/** A named fault, or a reply that goes out as it stands. */
export type Fault = { readonly kind: FaultWord } | RawReply;

/** Status, headers and body of a reply, whatever the protocol says of them. */
export interface RawReply {
  readonly kind: "raw";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RawBody;
  /** The body leaves in pieces over this time. */
  readonly overMs: number;
}

/** Text, bytes, or the frames of an event stream: an event, or text as it stands. */
export type RawBody =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "events"; readonly events: readonly (string | ServerSentEvent)[] };

/** Every kind of fault, as the journal shows it. */
export type FaultKind = Fault["kind"] | ServerFaultWord;

/** What goes wrong with an entry's answer. */
export interface EntryFault {
  readonly fault: Fault;
  /** Whether an answer stands beside it: then the fault comes once, and the client that tries again gets the answer. */
  readonly passes: boolean;
}

/** What goes wrong with a method of a server, whatever answers it. */
export interface ServerFault {
  readonly method: string;
  /** Only requests about this tool are counted and go wrong; in the list of tools, the tool that is gone or doubled. */
  readonly tool: string | null;
  /** Which of a test's requests goes wrong, from 0; `null` for each. */
  readonly callIndex: number | null;
  /** `null` when the answer only comes late. */
  readonly fault: Fault | { readonly kind: ServerFaultWord } | null;
  readonly delayMs: number;
  /** Whether a test may go without it. */
  readonly optional: boolean;
}
