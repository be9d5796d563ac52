import { distance } from "fastest-levenshtein";
import { differences } from "../difference.ts";
import type { McpFakeScope } from "../fixtures/types.ts";
import { showName } from "../text.ts";
import type { Entry } from "./model.ts";
import { type CallSituation, type NearMiss, REASON_KINDS, type Reason } from "./reason.ts";
import { isSameTarget, keyOf, type Target, VERBS } from "./target.ts";
import { who } from "./who.ts";

/** A request that no entry took, and what there is to compare it with. */
export interface MissedCall {
  readonly target: Target;
  readonly call: CallSituation;
  /** The entries of the targets that the request could have meant: those that apply to it. */
  readonly applying: readonly Entry[];
  /** The entries of the same target that belong to others. */
  readonly foreign: Iterable<ForeignEntry>;
  /** The scope ids that the test which asks answers to. */
  readonly askers: readonly string[];
  timesUsed(entry: Entry): number;
}

/** An entry whose block does not apply. */
export interface ForeignEntry {
  readonly entry: Entry;
  readonly scope: McpFakeScope;
}

/** An entry that came near, and why it did not answer. */
export interface Nearest {
  readonly entry: Entry;
  readonly miss: NearMiss;
}

/** The most entries and reasons that are looked at: a failure has to stay cheap among thousands of entries. */
const ENTRIES_MAX = 1000;
const REASONS_MAX = 10;

/** The entry that came closest to a call, with every reason why it did not take it; `null` when none comes near. */
export function nearestMiss(missed: MissedCall): Nearest | null {
  const { target, call, applying, timesUsed } = missed;
  const { kind } = target;
  const own = applying.filter((entry) => isSameTarget(entry.target, target));
  const ownMisses = own.slice(0, ENTRIES_MAX).map((entry) => toMiss(entry, reasonsOf(entry, call, timesUsed(entry))));
  const isOther = (entry: Entry) => entry.target.kind === kind && isSimilar(entry.target.name, target.name);
  const others = own.length > 0 ? [] : applying.filter(isOther).slice(0, ENTRIES_MAX);
  const similar = others.map((entry) =>
    toMiss(entry, [
      {
        kind: `wrong-${kind}`,
        text: `the ${kind} ${showName(entry.target.name)} is declared, ${showName(target.name)} was ${VERBS[kind]}`,
      },
      ...reasonsOf(entry, call, timesUsed(entry)),
    ]),
  );
  const foreign = own.length > 0 ? fittingForeign(missed) : allForeign(missed);
  return closest([...ownMisses, ...foreign, ...similar]);
}

// --- internal ---

/** The first that would have taken the call: where a test has fakes of its own, another's other arguments are of no interest. */
function fittingForeign({ call, foreign }: MissedCall): Nearest[] {
  for (const each of first(foreign)) if (reasonsOf(each.entry, call, 0).length === 0) return [foreignMiss(each, [])];
  return [];
}

/** What is declared for others alone, those first whose scope is named most like the test that asks. */
function allForeign({ call, foreign, askers }: MissedCall): Nearest[] {
  const farness = ({ scope }: ForeignEntry) =>
    scope === "shared" || scope.testId === undefined ? FAR : farnessOf(scope.testId, askers);
  return [...first(foreign)]
    .map((each) => ({ each, far: farness(each) }))
    .sort((one, other) => one.far - other.far)
    .map(({ each }) => foreignMiss(each, reasonsOf(each.entry, call, 0)));
}

const FAR = Number.MAX_SAFE_INTEGER;

function farnessOf(testId: string, askers: readonly string[]): number {
  return Math.min(FAR, ...askers.map((name) => distance(name, testId)));
}

function* first(foreign: Iterable<ForeignEntry>): Generator<ForeignEntry> {
  let looked = 0;
  for (const each of foreign) {
    if (++looked > ENTRIES_MAX) return;
    yield each;
  }
}

function foreignMiss({ entry, scope }: ForeignEntry, others: readonly Reason[]): Nearest {
  return toMiss(entry, [{ kind: "other-test", text: `declared for ${showScope(scope)}` }, ...others]);
}

function reasonsOf({ match, uses }: Entry, call: CallSituation, timesUsed: number): Reason[] {
  const reasons: Reason[] =
    timesUsed < uses.max ? [] : [{ kind: "used-up", text: `used up: it answers ${times(uses.max)}` }];
  switch (match.kind) {
    case "any":
      return reasons;
    case "args":
      return [...reasons, ...some(differences(match.args, call.received))];
    case "when":
      return [...reasons, ...match.conditions.flatMap((condition) => some(condition.reasons(call)))];
  }
}

function some(reasons: Iterable<Reason>): Reason[] {
  const taken: Reason[] = [];
  for (const { kind, text } of reasons) {
    taken.push({ kind, text });
    if (taken.length === REASONS_MAX) break;
  }
  return taken;
}

function toMiss(entry: Entry, reasons: readonly Reason[]): Nearest {
  const graveFirst = [...reasons].sort((one, other) => gravity(other) - gravity(one));
  return { entry, miss: { entryId: entry.id, ...keyOf(entry.target), reasons: graveFirst } };
}

function gravity({ kind }: Reason): number {
  return REASON_KINDS.indexOf(kind);
}

/** The one with the fewest reasons; of those the least grave; of those the first. */
function closest(misses: readonly Nearest[]): Nearest | null {
  const weight = ({ miss: { reasons } }: Nearest) =>
    reasons.length * REASON_KINDS.length + (reasons[0] === undefined ? 0 : gravity(reasons[0]));
  return misses.reduce<Nearest | null>(
    (best, miss) => (best === null || weight(miss) < weight(best) ? miss : best),
    null,
  );
}

/** A slip of the keyboard away, or the same words in another order or case. */
function isSimilar(one: string, other: string): boolean {
  return (
    distance(one.toLowerCase(), other.toLowerCase()) <= Math.max(2, Math.floor(other.length / 3)) ||
    words(one) === words(other)
  );
}

function words(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .sort()
    .join(" ");
}

function showScope(scope: McpFakeScope): string {
  return scope === "shared" ? "every test" : who({ testId: scope.testId ?? null, context: scope.context ?? null });
}

function times(count: number): string {
  return count === 1 ? "1 call" : `${count} calls`;
}
