import type { Json, JsonObject } from "../json.ts";
import { showJson, showPlain } from "../text.ts";
import { isUsedUp, type TimesUsed } from "./claim.ts";
import { declaredMatch } from "./match.ts";
import type { Entry } from "./model.ts";
import type { Plan } from "./script.ts";

/** How one test stands with one plan. */
export interface PlanState {
  /** Index of the expectation that was used last; expectations before it are out of reach in strict mode. */
  position: number;
  readonly unexpected: UnexpectedNote[];
  readonly outOfOrder: OutOfOrderNote[];
  /** Whether the test's verdict was asked for since its last call. */
  isFinal: boolean;
}

type UnexpectedNote = { tool: string; args: Json; reason: string };
type OutOfOrderNote = { tool: string; args: Json; expectation: number; expected: string };

/** Whether a test did what its plan expects. Source: scripting sheet, 2. */
export type Verdict = {
  met: boolean;
  /** Expectations that were used less often than they must be. */
  missed: { tool: string; when: JsonObject; min: number; used: number }[];
  /** Calls that no expectation took. */
  unexpected: UnexpectedNote[];
  /** Calls that came before their turn, or after it. */
  outOfOrder: OutOfOrderNote[];
};

export function createPlanState(): PlanState {
  return { position: 0, unexpected: [], outOfOrder: [], isFinal: false };
}

/** Enough to find the cause; an agent that calls for ever must not fill the memory. */
const NOTES_MAX = 1000;

/**
 * Whether an expectation may be used now: in strict mode not before those ahead of it have had their `min`, and not
 * after a later one was used.
 */
export function isInReach(entry: Entry, { position }: Pick<PlanState, "position">, timesUsed: TimesUsed): boolean {
  if (entry.expectation === null) return true;
  const { plan, index } = entry.expectation;
  if (plan.mode !== "strict") return true;
  if (index < position) return false;
  return plan.entries.slice(position, index).every((earlier) => timesUsed(earlier) >= earlier.uses.min);
}

/** What a plan waits for: in strict mode the next in order, else everything that may still come. */
export function expectedNext(
  { mode, entries }: Plan,
  { position }: Pick<PlanState, "position">,
  timesUsed: TimesUsed,
): readonly string[] {
  const open = entries.filter((entry) => !isUsedUp(entry, timesUsed(entry)));
  if (mode !== "strict") return open.map(showExpected);
  const ahead = open.filter((entry) => (entry.expectation?.index ?? 0) >= position);
  const firstDue = ahead.findIndex((entry) => timesUsed(entry) < entry.uses.min);
  return (firstDue === -1 ? ahead : ahead.slice(0, firstDue + 1)).map(showExpected);
}

/** Notes a call that the plan did not want. `tooEarlyOrLate` is the expectation that would take it in its turn. */
export function noteUnexpected(
  state: PlanState,
  call: { tool: string; received: Json; reason: string; expected: readonly string[] },
  tooEarlyOrLate: Entry | undefined,
): void {
  const { tool, received: args, reason, expected } = call;
  if (tooEarlyOrLate?.expectation) {
    const { index: expectation } = tooEarlyOrLate.expectation;
    add(state.outOfOrder, { tool, args, expectation, expected: expected.join(", then ") });
  } else add(state.unexpected, { tool, args, reason });
}

/** How a test stands with all the plans that apply to it. */
export function verdictOf(
  plans: readonly { readonly plan: Plan; readonly state: PlanState }[],
  timesUsed: TimesUsed,
): Verdict {
  const missed = plans.flatMap(({ plan }) =>
    plan.entries
      .filter((entry) => timesUsed(entry) < entry.uses.min)
      .map((entry) => ({
        tool: entry.target.name,
        when: whenOf(entry),
        min: entry.uses.min,
        used: timesUsed(entry),
      })),
  );
  const unexpected = plans.flatMap(({ state }) => state.unexpected);
  const outOfOrder = plans.flatMap(({ state }) => state.outOfOrder);
  return { met: [missed, unexpected, outOfOrder].every((list) => list.length === 0), missed, unexpected, outOfOrder };
}

/** The verdicts of several mounts as one. */
export function mergeVerdicts(verdicts: readonly Verdict[]): Verdict {
  return {
    met: verdicts.every(({ met }) => met),
    missed: verdicts.flatMap(({ missed }) => missed),
    unexpected: verdicts.flatMap(({ unexpected }) => unexpected),
    outOfOrder: verdicts.flatMap(({ outOfOrder }) => outOfOrder),
  };
}

/** A verdict as text: what a person or a model reads. */
export function showVerdict({ met, missed, unexpected, outOfOrder }: Verdict): string {
  if (met) return "All expectations were met.";
  const args = (value: Json) => showJson(value);
  return [
    "Expectations were not met:",
    ...missed.map(
      ({ tool, when, min, used }) => `  missed: ${showPlain(tool)} ${showWhen(when)}, used ${used} of at least ${min}`,
    ),
    ...unexpected.map((call) => `  unexpected: ${showPlain(call.tool)} ${args(call.args)}: ${call.reason}`),
    ...outOfOrder.map(
      (call) => `  out of order: ${showPlain(call.tool)} ${args(call.args)}, expected was ${call.expected}`,
    ),
  ].join("\n");
}

// --- internal ---

function add<T>(notes: T[], note: T): void {
  if (notes.length < NOTES_MAX) notes.push(note);
}

function showExpected(entry: Entry): string {
  return `${showPlain(entry.target.name)} ${showWhen(whenOf(entry))}`;
}

function showWhen(when: JsonObject): string {
  return Object.keys(when).length === 0 ? "with any arguments" : `when ${showJson(when)}`;
}

function whenOf({ match }: Entry): JsonObject {
  const declared = declaredMatch(match);
  return "when" in declared ? declared.when : {};
}
