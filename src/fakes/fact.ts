import type { Json } from "../json.ts";
import type { FaultKind } from "./fault.ts";
import type { CallError, EntryResult } from "./model.ts";
import type { FailureKind } from "./outcome.ts";
import type { NearMiss } from "./reason.ts";

/** How one request for a target ended, in one word. From `verdict` on, no fake answered or refused it. */
export type CallOutcome =
  | "answered"
  | FailureKind
  | "verdict"
  | "handler"
  | "upstream"
  | "empty"
  | "unknown_tool"
  | "unknown_resource"
  | "unknown_prompt"
  | "invalid";

/** How a request for a target ended, noted while it is answered. Reports, matchers and metrics read these. */
interface EndFact {
  /** The path that the mock is served at. */
  readonly mount: string;
  readonly outcome: CallOutcome;
  readonly entryId: string | null;
  /** The result that was sent, or `null` when an error was sent. */
  readonly result: EntryResult | null;
  /** The JSON-RPC error that was sent, or `null`. */
  readonly error: CallError | null;
  /** Only when an expectation took the call: its index, from 0. */
  readonly expectation?: number;
  /** Only on failures, and where nobody knows the target: the entry that came closest. */
  readonly nearMiss?: NearMiss;
  /** Only when the answer went wrong on purpose: how. */
  readonly fault?: FaultKind;
}

/** One `tools/call`. */
export interface CallFact extends EndFact {
  readonly tool: string;
  readonly args: Json;
  /** Only when the arguments break the input schema that the tool declares: how. No failure by itself. */
  readonly warnings?: readonly string[];
  readonly resource?: undefined;
  readonly prompt?: undefined;
}

/** One `resources/read`. */
export interface ReadFact extends EndFact {
  /** Its URI. */
  readonly resource: string;
  readonly tool?: undefined;
  readonly prompt?: undefined;
}

/** One `prompts/get`. */
export interface PromptFact extends EndFact {
  readonly prompt: string;
  readonly args: Json;
  /** Only when the arguments are not those that the prompt declares: how. No failure by itself. */
  readonly warnings?: readonly string[];
  readonly tool?: undefined;
  readonly resource?: undefined;
}

export type Fact = CallFact | ReadFact | PromptFact;
