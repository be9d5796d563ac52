/** The ways in which an answer can go wrong on purpose, on the way or in itself. */
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

export type FaultWord = (typeof FAULTS)[number];

/** A named fault, or a reply that goes out as it stands. */
export type Fault = { readonly kind: FaultWord } | RawReply;

/** Status, headers and body of a reply, whatever the protocol says of them. */
export interface RawReply {
  readonly kind: "raw";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body leaves in pieces over this time. */
  readonly overMs: number;
}

/** What goes wrong with an entry's answer. */
export interface EntryFault {
  readonly fault: Fault;
  /** Whether an answer stands beside it: then the fault comes once, and the client that tries again gets the answer. */
  readonly passes: boolean;
}
