import type { Identity } from "../identity.ts";
import type { Json } from "../json.ts";
import { answerOf, claimEntry } from "./claim.ts";
import type { Consumption } from "./consumption.ts";
import type { LoadedBlocks } from "./loaded.ts";
import type { Block, Entry } from "./model.ts";
import { type ForeignEntry, type Nearest, nearestMiss } from "./near-miss.ts";
import type { Outcome } from "./outcome.ts";
import type { Plans } from "./plans.ts";
import { entriesOf } from "./reload.ts";
import { isSameTarget, type Target } from "./target.ts";

/** What requests find of the fakes of one mount. */
export interface Claims {
  /** Takes the first unused entry that matches, synchronously. `args` is `undefined` when the request had none. */
  claim(target: Target, args: Json | undefined, identity: Identity): Outcome;
  /** The answer of an entry that a call has claimed before; `undefined` when it is not loaded any more. */
  resume(entryId: string, args: Json | undefined): Extract<Outcome, { kind: "answered" }> | undefined;
  /** Says that an entry's answer is on its way: the scenario moves on. */
  settle(entry: Entry, identity: Identity): void;
  /** Says that an entry's answer did not arrive: it is as unused as it was before. */
  giveBack(entry: Entry, identity: Identity): void;
  wasGivenBack(entry: Entry, identity: Identity): boolean;
  /** The entry that came closest to a request that none took. */
  nearest(target: Target, args: Json | undefined, identity: Identity): Nearest | null;
}

export interface ClaimsDependencies {
  readonly loaded: LoadedBlocks;
  readonly consumption: Consumption;
  readonly plans: Plans;
  /** Scope ids, beside its own, that a test id answers to. */
  aliases(testId: string): readonly string[];
}

export function createClaims({ loaded, consumption, plans, aliases }: ClaimsDependencies): Claims {
  /** Only tools have a closed world, and only their unexpected calls are a plan's business. */
  function claimUndeclared(target: Target, received: Json, identity: Identity): Outcome {
    if (target.kind !== "tool") return UNFAKED;
    const [script] = loaded.scripts(identity);
    if (script !== undefined && script.plan.mode !== "passthrough") {
      return plans.unexpected(identity.testId, { script, target, received, matching: [] });
    }
    if (loaded.policy(identity) === "allow") return { kind: "unfaked", unknownTool: script?.unknownTool ?? "error" };
    return { kind: "not_declared", declaredTools: [...loaded.listed("tool", identity).keys()] };
  }

  return {
    claim(target, args, identity) {
      const candidates = loaded.candidates(target, identity);
      const received = args === undefined ? {} : args;
      if (candidates === null) return claimUndeclared(target, received, identity);
      const { testId } = identity;
      if (consumption.isEvicted(testId)) return { kind: "evicted", cap: consumption.cap };
      const call = {
        received,
        callIndex: candidates.countsCalls ? consumption.countCall(testId, target) : 0,
        state: consumption.stateOf(testId),
      };
      const outcome = claimEntry(candidates, plans.statesFor(testId), call);
      if (outcome.kind === "answered") {
        consumption.use(testId, outcome.entry);
        if (outcome.entry.expectation !== null) plans.used(testId, outcome.entry.expectation);
        return outcome;
      }
      const { script } = candidates;
      return script === null
        ? outcome
        : plans.unexpected(testId, { script, target, received, matching: candidates.matching(call) });
    },
    resume(entryId, args) {
      const block = loaded.blockOf(entryId);
      const entry = block === undefined ? undefined : entriesOf(block).find(({ id }) => id === entryId);
      return entry && { kind: "answered", entry, answer: answerOf(entry, args === undefined ? {} : args) };
    },
    settle: (entry, { testId }) => consumption.moveOn(testId, entry),
    giveBack: (entry, { testId }) => consumption.giveBack(testId, entry),
    wasGivenBack: (entry, { testId }) => consumption.wasGivenBack(testId, entry),
    nearest(target, args, identity) {
      const { testId } = identity;
      const applying = loaded.applying(identity);
      return nearestMiss({
        target,
        call: {
          received: args === undefined ? {} : args,
          // The missed call itself has been counted.
          callIndex: Math.max(0, consumption.callsOf(testId, target) - 1),
          state: consumption.stateOf(testId),
        },
        applying: applying.flatMap(entriesOf),
        foreign: foreignEntries(loaded.all(), new Set(applying), target),
        askers: testId === null ? [] : [testId, ...aliases(testId)],
        timesUsed: consumption.timesUsedBy(testId),
      });
    },
  };
}

const UNFAKED: Outcome = { kind: "unfaked", unknownTool: "error" };

/** The entries of one target in blocks that do not apply. */
function* foreignEntries(
  blocks: Iterable<Block>,
  applying: ReadonlySet<Block>,
  target: Target,
): Generator<ForeignEntry> {
  for (const block of blocks) {
    if (applying.has(block)) continue;
    for (const declared of block.targets) {
      if (isSameTarget(declared, target)) for (const entry of declared.entries) yield { entry, scope: block.scope };
    }
  }
}
