import { differenceCount, firstDifference } from "../difference.ts";
import type { Json, JsonObject } from "../json.ts";
import { type Candidates, declaredMatch } from "./match.ts";
import type { Entry, EntryAnswer } from "./model.ts";
import { nearestMiss } from "./near-miss.ts";
import type { Outcome } from "./outcome.ts";
import type { CallSituation } from "./reason.ts";
import { fillAnswer } from "./template.ts";

/** How the entries stand for the test that calls. */
export interface EntryStates {
  readonly timesUsed: TimesUsed;
  /** Whether the plan of an expectation is where the expectation may be used. */
  isInReach(entry: Entry): boolean;
}

/** How often the test that calls has used an entry. */
export type TimesUsed = (entry: Entry) => number;

/** Whether an entry cannot answer any more. */
export function isUsedUp(entry: Entry, timesUsed: number): boolean {
  return timesUsed >= entry.uses.max;
}

/** Whether an entry was used, and as often as it must be. */
export function isConsumed(entry: Entry, timesUsed: number): boolean {
  return timesUsed >= Math.max(1, entry.uses.min);
}

/**
 * Finds the first unused entry that takes a call, or says why there is none. Marks nothing. Throws an `Error` when the
 * answer cannot be made.
 */
export function claimEntry(
  candidates: Candidates,
  { timesUsed, isInReach }: EntryStates,
  call: CallSituation,
): Outcome {
  const matching = candidates.matching(call);
  const { received } = call;
  for (const entry of matching) {
    if (isUsedUp(entry, timesUsed(entry)) || !isInReach(entry)) continue;
    return { kind: "answered", entry, answer: answerOf(entry, received) };
  }
  if (matching.length > 0) return { kind: "exhausted", received, matching: matching.map(({ id }) => id) };
  return mismatch(candidates.entries, timesUsed, call);
}

/** What an entry answers to these arguments. Throws an `Error` when the answer cannot be made. */
export function answerOf(entry: Entry, received: Json): EntryAnswer {
  return entry.isTemplate ? fillAnswer(entry.answer, received) : entry.answer;
}

/** Entries for any arguments cannot be here: they would have matched. */
function mismatch(entries: readonly Entry[], timesUsed: TimesUsed, call: CallSituation): Outcome {
  const { received } = call;
  const declared = entries.map((entry) => ({
    id: entry.id,
    ...declaredMatch(entry.match),
    consumed: isConsumed(entry, timesUsed(entry)),
  }));
  const exact = entries.flatMap(({ match }) => (match.kind === "args" ? [match.args] : []));
  const firstDifference =
    exact.length === entries.length ? closestDifference(exact, received) : nearestDifference(entries, timesUsed, call);
  return { kind: "mismatch", received, declared, firstDifference };
}

/** Where entries have conditions, the difference is the first reason of the one that came closest. */
function nearestDifference(entries: readonly Entry[], timesUsed: TimesUsed, call: CallSituation): string {
  const [entry] = entries;
  if (entry === undefined) return "";
  const missed = { target: entry.target, call, applying: entries, foreign: [], askers: [], timesUsed };
  return nearestMiss(missed)?.miss.reasons[0]?.text ?? "";
}

function closestDifference(declared: readonly JsonObject[], received: Json): string {
  let closest: JsonObject | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const args of declared) {
    const count = differenceCount(args, received);
    if (count >= fewest) continue;
    closest = args;
    fewest = count;
  }
  return (closest && firstDifference(closest, received)) ?? "";
}
