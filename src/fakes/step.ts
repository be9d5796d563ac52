import type { Json, JsonObject } from "../json.ts";
import type { LoggingLevel } from "../logging-level.ts";

/** What an entry does before it answers, one step after the other. */
export type Step =
  | { readonly kind: "progress"; readonly progress: number; readonly total?: number; readonly message?: string }
  | { readonly kind: "log"; readonly level: LoggingLevel; readonly data: Json; readonly logger?: string }
  | { readonly kind: "delay"; readonly ms: number }
  | AskStep
  /** Closes the connection of the call's stream, which the client resumes. */
  | { readonly kind: "close-stream"; readonly retryMs: number };

/** A question to the client. */
export interface AskStep {
  readonly kind: "elicit" | "sample" | "roots";
  readonly params: JsonObject;
  /** Its name among the questions of the call; `null` numbers it. */
  readonly key: string | null;
  /** What the client's answer must hold, among other things; `null` takes any. */
  readonly expect: JsonObject | null;
}
