import type { Json, JsonObject } from "../json.ts";
import type { TargetKey } from "./target.ts";

/** One thing that a call must be like. All conditions of an entry must hold. */
export interface Condition {
  /** The key that declares it, e.g. `partialArgs`. */
  readonly name: string;
  /** As the author wrote it. */
  readonly declared: Json;
  /** The arguments that it names, all of them or these among others; `null` for a condition of another kind. */
  readonly named: { readonly args: JsonObject; readonly isWhole: boolean } | null;
  /** Nothing when the condition holds, else every reason why it does not. May throw, for a pattern without end. */
  reasons(call: CallSituation): Iterable<Reason>;
}

/** What conditions are about: the request, and how its test stands. */
export interface CallSituation {
  readonly received: Json;
  /** How many calls of the tool this test id made before. */
  readonly callIndex: number;
  /** The scenario's state of this test id. */
  readonly state: string;
}

/** Why an entry did not take a call, the gravest last: the closest entry is the one with the least in its way. */
export const REASON_KINDS = [
  "used-up",
  "wrong-state",
  "wrong-position",
  "extra-key",
  "wrong-value",
  "wrong-type",
  "missing-key",
  "other-test",
  "wrong-tool",
  "wrong-resource",
  "wrong-prompt",
] as const;

export type ReasonKind = (typeof REASON_KINDS)[number];

export interface Reason {
  readonly kind: ReasonKind;
  /** What was declared and what came: `$.city: expected "Seattle", received "seattle"`. */
  readonly text: string;
}

/** The entry that came closest to a call that none took. */
export type NearMiss = TargetKey & {
  readonly entryId: string;
  /** The gravest first; at least one. */
  readonly reasons: readonly Reason[];
};
