import type { TurnFixture } from "./fixture.ts";
import { counterKey } from "./sequence.ts";

/** How often each fixture has answered each test id. */
export interface TurnCounts {
  /** Answers so far of the fixture, or of its sequence. */
  of(testId: string | null, fixture: TurnFixture): number;
  hasAnswered(testId: string | null, fixture: TurnFixture): boolean;
  /** Answers since the fixture was added, over all tests and attempts. */
  total(fixture: TurnFixture): number;
  /** Counts an answer; the first one makes room for its test id by evicting the oldest past the cap. */
  count(testId: string | null, fixture: TurnFixture): void;
  isEvicted(testId: string | null): boolean;
  /** Forgets one test id, or all of them with the untagged state. `__default__` takes the untagged state with it. */
  reset(testId?: string): void;
}

interface TestCounts {
  readonly byKey: Map<string, number>;
  readonly answered: Set<TurnFixture>;
}

/** Evicts first in, first out by first use, and never the untagged state; tells each time. 0 = no cap. */
export function createTurnCounts(cap: number, evicting: () => void): TurnCounts {
  const keys = new WeakMap<TurnFixture, string>();
  const totals = new WeakMap<TurnFixture, number>();
  const tests = new Map<string, TestCounts>();
  const evicted = new Set<string>();
  let untagged = nothingCounted();

  function keyOf(fixture: TurnFixture): string {
    const key = keys.get(fixture) ?? counterKey(fixture);
    keys.set(fixture, key);
    return key;
  }

  const countsOf = (testId: string | null) => (testId === null ? untagged : tests.get(testId));

  function open(testId: string): TestCounts {
    const counts = nothingCounted();
    tests.set(testId, counts);
    for (const oldest of tests.keys()) {
      if (cap === 0 || tests.size <= cap) break;
      tests.delete(oldest);
      evicted.add(oldest);
      evicting();
    }
    return counts;
  }

  return {
    of: (testId, fixture) => countsOf(testId)?.byKey.get(keyOf(fixture)) ?? 0,
    hasAnswered: (testId, fixture) => countsOf(testId)?.answered.has(fixture) ?? false,
    total: (fixture) => totals.get(fixture) ?? 0,
    count(testId, fixture) {
      totals.set(fixture, (totals.get(fixture) ?? 0) + 1);
      const counts = testId === null ? untagged : (tests.get(testId) ?? open(testId));
      const key = keyOf(fixture);
      counts.byKey.set(key, (counts.byKey.get(key) ?? 0) + 1);
      counts.answered.add(fixture);
    },
    isEvicted: (testId) => testId !== null && evicted.has(testId),
    reset(testId) {
      if (testId === undefined || testId === "__default__") untagged = nothingCounted();
      if (testId === undefined) {
        tests.clear();
        evicted.clear();
      } else {
        tests.delete(testId);
        evicted.delete(testId);
      }
    },
  };
}

function nothingCounted(): TestCounts {
  return { byKey: new Map(), answered: new Set() };
}
