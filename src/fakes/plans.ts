import type { Json } from "../json.ts";
import type { EntryStates } from "./claim.ts";
import { isUsedUp } from "./claim.ts";
import type { Consumption } from "./consumption.ts";
import { createPlanState, expectedNext, isInReach, noteUnexpected, type Verdict, verdictOf } from "./expectations.ts";
import type { Entry } from "./model.ts";
import type { UnexpectedCall } from "./outcome.ts";
import type { Expectation, Script } from "./script.ts";
import { isSameTarget, type Target } from "./target.ts";

/** How each test stands with the plans of one mount. */
export interface Plans {
  statesFor(testId: string | null): EntryStates;
  /** An expectation was used. */
  used(testId: string | null, expectation: Expectation): void;
  /** A call came that no entry took. `matching` are those that would, were they not used up or out of turn. */
  unexpected(
    testId: string | null,
    call: { script: Script; target: Target; received: Json; matching: readonly Entry[] },
  ): UnexpectedCall;
  verdict(testId: string | null, scripts: readonly Script[]): Verdict;
  /** The verdict, which is then no longer pending. */
  finalize(testId: string | null, scripts: readonly Script[]): Verdict;
  /** The verdict of a test that has called since it was last finalized; of nobody's calls when no test called at all. */
  pending(testId: string | null, scripts: readonly Script[]): Verdict | null;
}

/** Keeps what it knows with all else that is known of a test, so that it is evicted and reset with it. */
export function createPlans(consumption: Consumption): Plans {
  const { timesUsedBy } = consumption;

  function verdict(testId: string | null, scripts: readonly Script[]): Verdict {
    const plans = scripts.map(({ plan }) => ({ plan, state: consumption.peekPlan(testId, plan) ?? createPlanState() }));
    return verdictOf(plans, timesUsedBy(testId));
  }

  return {
    statesFor(testId) {
      const timesUsed = timesUsedBy(testId);
      return {
        timesUsed,
        isInReach: (entry) =>
          entry.expectation === null ||
          isInReach(entry, consumption.peekPlan(testId, entry.expectation.plan) ?? BEGINNING, timesUsed),
      };
    },
    used(testId, { plan, index }) {
      const state = consumption.planOf(testId, plan);
      state.position = index;
      state.isFinal = false;
    },
    unexpected(testId, { script, target, received, matching }) {
      const timesUsed = timesUsedBy(testId);
      const { plan } = script;
      const expected = expectedNext(plan, consumption.peekPlan(testId, plan) ?? BEGINNING, timesUsed);
      const outOfTurn = matching.find((entry) => !isUsedUp(entry, timesUsed(entry)));
      const reason = reasonOf(matching, outOfTurn, { target, script });
      if (plan.mode !== "passthrough") {
        const state = consumption.planOf(testId, plan);
        state.isFinal = false;
        noteUnexpected(state, { tool: target.name, received, reason, expected }, outOfTurn);
      }
      return { kind: "unexpected", received, reason, expected, script };
    },
    verdict,
    finalize(testId, scripts) {
      for (const { plan } of scripts) consumption.planOf(testId, plan).isFinal = true;
      return verdict(testId, scripts);
    },
    pending(testId, scripts) {
      const expecting = scripts.filter(({ plan }) => plan.mode !== "passthrough" || plan.entries.length > 0);
      const isFinal = ({ plan }: Script) => consumption.peekPlan(testId, plan)?.isFinal === true;
      if (expecting.length === 0 || expecting.every(isFinal)) return null;
      const hasCalled = expecting.some(({ plan }) => consumption.peekPlan(testId, plan) !== undefined);
      return hasCalled || consumption.testIds().length === 1 ? verdict(testId, scripts) : null;
    },
  };
}

// --- internal ---

/** Where every plan begins. */
const BEGINNING = { position: 0 };

function reasonOf(
  matching: readonly Entry[],
  outOfTurn: Entry | undefined,
  { target, script }: { target: Target; script: Script },
): string {
  if (outOfTurn !== undefined) return `${outOfTurn.id} is out of order`;
  const [usedUp] = matching;
  if (usedUp !== undefined) {
    const { max } = usedUp.uses;
    return max === 0
      ? `${usedUp.id} says that it must not come`
      : `${usedUp.id} was used ${max} of at most ${max} times`;
  }
  if (script.plan.mode === "passthrough") return "no answer of it takes these arguments";
  const isExpected = script.plan.entries.some((entry) => isSameTarget(entry.target, target));
  return isExpected ? "no expectation of the tool takes these arguments" : "no expectation names the tool";
}
