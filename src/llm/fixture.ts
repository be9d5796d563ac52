import type { McpFakeScope } from "../fixtures/types.ts";
import type { TurnMatch } from "./match.ts";
import type { ModelReply } from "./reply.ts";

/** How an answer is cut into chunks and when each is sent. `null` = the server's own setting. */
export interface Pace {
  /** Milliseconds before each chunk, and before a whole answer. */
  readonly latency: number | null;
  /** Characters of a chunk. */
  readonly chunkSize: number | null;
  /** `ttft` milliseconds before the first chunk, then `tps` chunks a second; `jitter` (0 to 1) is how far a delay may stray. */
  readonly profile: { readonly ttft: number | null; readonly tps: number | null; readonly jitter: number } | null;
  /** The delays of a recorded stream; past their end there is none. */
  readonly recorded: { readonly ttftMs: number; readonly betweenMs: readonly number[] } | null;
  /** Divides every delay. */
  readonly speed: number;
  /** Tears the stream after so many chunks. */
  readonly truncateAfterChunks: number | null;
  /** Tears the connection so many milliseconds after the request, unless the answer is out by then. */
  readonly disconnectAfterMs: number | null;
}

/** One scripted model turn, checked and expanded. */
export interface TurnFixture {
  /** `<source>:fixtures[<position>]`, e.g. `tickets/retry.json:fixtures[0]`. */
  readonly id: string;
  /** What a request is held against: as written, with the endpoint that the response implies. */
  readonly match: TurnMatch;
  /** The match as it was written, to be shown and to tell which turns ask for the same. */
  readonly written: TurnMatch;
  readonly scope: McpFakeScope;
  readonly reply: ModelReply;
  /** The response as it was written, to be shown. */
  readonly response: object;
  readonly pace: Pace;
  /** A test-scoped turn that its test may leave unused. */
  readonly optional: boolean;
}
