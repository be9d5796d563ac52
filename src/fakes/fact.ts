import type { Json } from "../json.ts";
import type { Fault } from "./fault.ts";
import type { CallError, ToolResult } from "./model.ts";
import type { FailureKind } from "./outcome.ts";
import type { NearMiss } from "./reason.ts";

/** How one `tools/call` ended, in one word. From `verdict` on, no fake answered or refused it. */
export type CallOutcome =
  | "answered"
  | FailureKind
  | "verdict"
  | "handler"
  | "upstream"
  | "empty"
  | "unknown_tool"
  | "invalid";

/** The facts of one `tools/call`, noted while it is answered. Reports, matchers and metrics read these. */
export interface CallFact {
  readonly tool: string;
  readonly args: Json;
  /** The path that the mock is served at. */
  readonly mount: string;
  readonly outcome: CallOutcome;
  readonly entryId: string | null;
  /** The `tools/call` result that was sent, or `null` when an error was sent. */
  readonly result: ToolResult | null;
  /** The JSON-RPC error that was sent, or `null`. */
  readonly error: CallError | null;
  /** Only when an expectation took the call: its index, from 0. */
  readonly expectation?: number;
  /** Only on failures: the entry that came closest. */
  readonly nearMiss?: NearMiss;
  /** Only when the answer went wrong on purpose: how. */
  readonly fault?: Fault["kind"];
}
