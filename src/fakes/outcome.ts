import type { Json, JsonObject } from "../json.ts";
import type { Entry, EntryAnswer } from "./model.ts";
import type { Script } from "./script.ts";

/** A call that a script did not expect. */
export interface UnexpectedCall {
  readonly kind: "unexpected";
  readonly received: Json;
  /** Why no entry took it, in words. */
  readonly reason: string;
  /** What the script waits for, in words; nothing when it waits for nothing. */
  readonly expected: readonly string[];
  readonly script: Script;
}

/** What a claim found. `unfaked` = no block declares the target and the world is open: answer it as without fakes. */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly entry: Entry;
      /** The entry's own, with what its template asked for. */
      readonly answer: EntryAnswer;
    }
  | {
      readonly kind: "mismatch";
      readonly received: Json;
      readonly declared: readonly ({ id: string; consumed: boolean } & DeclaredMatch)[];
      readonly firstDifference: string;
    }
  | { readonly kind: "exhausted"; readonly received: Json; readonly matching: readonly string[] }
  | { readonly kind: "not_declared"; readonly declaredTools: readonly string[] }
  | { readonly kind: "evicted"; readonly cap: number }
  | UnexpectedCall
  | {
      readonly kind: "unfaked";
      /** What a call gets that nothing else answers either. */
      readonly unknownTool: "tool-error" | "error";
    };

/** What an entry takes, as its author wrote it: exact arguments, any, or its conditions by name. */
export type DeclaredMatch = { args: JsonObject } | { anyArgs: true } | { when: JsonObject };

/** The outcomes that mean "the scenario is wrong". */
export type FailureKind =
  | "mismatch"
  | "exhausted"
  | "not_declared"
  | "unexpected"
  | "evicted"
  | "internal_error"
  | "test_ended";
