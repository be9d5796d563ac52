import type { Entry } from "./model.ts";

/** Which entries each test id of one mount has used. Entries count as themselves: an id used again later starts unused. */
export interface Consumption {
  readonly cap: number;
  isUsed(testId: string | null, entry: Entry): boolean;
  /** Marks an entry used; the first one makes room for its test id by evicting the oldest past the cap. */
  use(testId: string | null, entry: Entry): void;
  isEvicted(testId: string | null): boolean;
  /** Forgets one test id, or all of them with the untagged state. `__default__` takes the untagged state with it. */
  reset(testId?: string): void;
  /** 0 means no cap. Evicts at once what is now too much. */
  setCap(cap: number): void;
}

/** Evicts first in, first out by first use, and tells `evicting` of each. The state of requests without a test id is never evicted. */
export function createConsumption(initialCap: number, evicting: () => void): Consumption {
  let cap = initialCap;
  const used = new Map<string, Set<Entry>>();
  const untagged = new Set<Entry>();
  const evicted = new Set<string>();

  function evictPastCap(): void {
    if (cap === 0) return;
    for (const oldest of used.keys()) {
      if (used.size <= cap) return;
      used.delete(oldest);
      evicted.add(oldest);
      evicting();
    }
  }

  return {
    get cap() {
      return cap;
    },
    isUsed: (testId, entry) => (testId === null ? untagged : used.get(testId))?.has(entry) ?? false,
    use(testId, entry) {
      if (testId === null) {
        untagged.add(entry);
        return;
      }
      const own = used.get(testId);
      if (own !== undefined) {
        own.add(entry);
        return;
      }
      used.set(testId, new Set([entry]));
      evictPastCap();
    },
    isEvicted: (testId) => testId !== null && evicted.has(testId),
    reset(testId) {
      if (testId === undefined || testId === "__default__") untagged.clear();
      if (testId === undefined) {
        used.clear();
        evicted.clear();
        return;
      }
      used.delete(testId);
      evicted.delete(testId);
    },
    setCap(next) {
      cap = next;
      evictPastCap();
    },
  };
}
