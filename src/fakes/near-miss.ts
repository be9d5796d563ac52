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
  readonly foreign: Iterable<{ readonly entry: Entry; readonly scope: McpFakeScope }>;
  timesUsed(entry: Entry): number;
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
  return closest([...ownMisses, ...foreignMisses(missed), ...similar]);
}

// --- internal ---

/** Only those that would have taken the call: another test's other arguments are of no interest. */
function foreignMisses({ call, foreign }: MissedCall): Nearest[] {
  const misses: Nearest[] = [];
  let looked = 0;
  for (const { entry, scope } of foreign) {
    if (++looked > ENTRIES_MAX) break;
    if (reasonsOf(entry, call, 0).length > 0) continue;
    misses.push(toMiss(entry, [{ kind: "other-test", text: `declared for ${showScope(scope)}` }]));
    break;
  }
  return misses;
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
