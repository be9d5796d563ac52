import type { Identity } from "../identity.ts";
import { type Closest, closestFixture } from "./closest.ts";
import { createTurnCounts } from "./counts.ts";
import type { TurnFixture } from "./fixture.ts";
import type { FixtureIndex, OrderedFixture } from "./fixture-index.ts";
import { type Asking, matches } from "./match.ts";
import type { ErrorReply } from "./reply.ts";
import { createTurnScopes } from "./scope.ts";
import { selectFixture } from "./select.ts";
import { assistantCount, type Turn } from "./turn.ts";

/** What the script says to one request. */
export type TurnOutcome =
  | { readonly kind: "fixture"; readonly fixture: TurnFixture }
  /** A one-shot error that was queued for this request. */
  | { readonly kind: "queued"; readonly reply: ErrorReply }
  /** `outOfTurn` counts the fixtures that would take the request at another point of their sequence. */
  | { readonly kind: "no_match"; readonly closest: Closest | null; readonly outOfTurn: number }
  /** The counts of this test id were dropped by the cap, so no sequence can be told. */
  | { readonly kind: "evicted"; readonly cap: number };

/** The scripted turns of one server, and how often each has answered each test id. */
export interface TurnStore {
  /** `owner`: the running test whose end removes them. */
  add(fixtures: readonly TurnFixture[], owner: string | null): void;
  /** Picks the fixture that answers, and counts it, synchronously. */
  ask(turn: Turn, identity: Identity): TurnOutcome;
  /** The next request is answered with this error; with a test id, the next request of that test. */
  queueError(reply: ErrorReply, testId: string | null): void;
  /** In order of registration. */
  fixtures(): readonly TurnFixture[];
  /** The fixtures scoped to a test that it has not asked for, in order; those that it may leave out are not among them. */
  unasked(identity: Pick<Identity, "testId" | "context">): readonly TurnFixture[];
  /** How often a fixture answered since it was added, over all tests and attempts. */
  uses(fixture: TurnFixture): number;
  /** The contexts that the fixtures scoped to a test ask for: each is a view of its own. */
  contextsOf(testId: string): readonly string[];
  isEvicted(testId: string | null): boolean;
  /** Removes the fixtures that were added with this owner. */
  removeOwnedBy(testId: string): void;
  /** Counts start anew for one test id, or for all. */
  reset(testId?: string): void;
  /** Drops fixtures, counts and queued errors. */
  clear(): void;
}

export interface TurnStoreOptions {
  /** How many test ids keep counts; the oldest is dropped first. 0 = no cap. */
  readonly cap: number;
  /** Called when a test id's counts are dropped. */
  evicting(): void;
  /** The other ids that an announced test's scope may be written with. */
  aliases(testId: string): readonly string[];
}

/**
 * Creates an empty script.
 *
 * @example
 * const store = createTurnStore({ cap: 0, aliases: () => [], evicting() {} });
 * store.add(fixtures, null);
 * store.ask(turn, { testId: "t", context: null, undeclared: null });
 */
export function createTurnStore({ cap, aliases, evicting }: TurnStoreOptions): TurnStore {
  const fixtures = new Set<TurnFixture>();
  const scopes = createTurnScopes(aliases);
  const counts = createTurnCounts(cap, evicting);
  const owned = new Map<string, TurnFixture[]>();
  const queued: { readonly reply: ErrorReply; readonly testId: string | null }[] = [];
  let order = 0;

  function askingOf(turn: Turn, { testId, context }: Identity): (fixture: TurnFixture) => Asking {
    return (fixture) => ({ turn, context, count: counts.of(testId, fixture) });
  }

  function takers(level: readonly FixtureIndex[], turn: Turn, identity: Identity): TurnFixture[] {
    const asking = askingOf(turn, identity);
    const candidates = level.flatMap((index) => index.candidates(turn));
    return inOrder(candidates.filter(({ fixture }) => matches(fixture.match, asking(fixture))));
  }

  function takeQueued(testId: string | null): ErrorReply | undefined {
    const at = queued.findIndex((each) => each.testId === null || each.testId === testId);
    return at === -1 ? undefined : queued.splice(at, 1)[0]?.reply;
  }

  return {
    add(added, owner) {
      for (const fixture of added) {
        scopes.add(fixture, order++);
        fixtures.add(fixture);
      }
      if (owner !== null) owned.set(owner, [...(owned.get(owner) ?? []), ...added]);
    },
    ask(turn, identity) {
      const reply = takeQueued(identity.testId);
      if (reply !== undefined) return { kind: "queued", reply };
      if (counts.isEvicted(identity.testId)) return { kind: "evicted", cap };
      const levels = scopes.levels(identity);
      for (const level of levels) {
        const fixture = selectFixture(takers(level, turn, identity), assistantCount(turn));
        if (fixture === undefined) continue;
        counts.count(identity.testId, fixture);
        return { kind: "fixture", fixture };
      }
      const visible = levels.flatMap((level) => inOrder(level.flatMap((index) => index.all())));
      return { kind: "no_match", ...closestFixture(visible, askingOf(turn, identity)) };
    },
    queueError: (reply, testId) => void queued.push({ reply, testId }),
    fixtures: () => [...fixtures],
    unasked: ({ testId, context }) => {
      const scoped = scopes.scopedTo({ testId, context }).flatMap((index) => index.all());
      return inOrder(scoped).filter((fixture) => !fixture.optional && !counts.hasAnswered(testId, fixture));
    },
    uses: (fixture) => counts.total(fixture),
    contextsOf: (testId) => scopes.contextsOf(testId),
    isEvicted: (testId) => counts.isEvicted(testId),
    removeOwnedBy(testId) {
      for (const fixture of owned.get(testId) ?? []) {
        if (fixtures.delete(fixture)) scopes.remove(fixture);
      }
      owned.delete(testId);
    },
    reset: (testId) => counts.reset(testId),
    clear() {
      fixtures.clear();
      scopes.clear();
      owned.clear();
      counts.reset();
      queued.length = 0;
    },
  };
}

function inOrder(fixtures: readonly OrderedFixture[]): TurnFixture[] {
  return fixtures.toSorted((a, b) => a.order - b.order).map(({ fixture }) => fixture);
}
