import { createPlanState, type PlanState } from "./expectations.ts";
import type { Block, Entry } from "./model.ts";
import { entriesOf, zip } from "./reload.ts";
import type { Plan } from "./script.ts";
import type { Target } from "./target.ts";

/** How each test id of one mount stands: what it has used, how often it called, and its scenario's state. */
export interface Consumption {
  readonly cap: number;
  /**
   * How often a test id has used each entry, as it is until its next use. Entries count as themselves: an id used again
   * later starts unused.
   */
  timesUsedBy(testId: string | null): (entry: Entry) => number;
  /** Counts a use. A test id's first one makes room for it by evicting the oldest past the cap. */
  use(testId: string | null, entry: Entry): void;
  /** Takes a use back, with the call and the state that came with it: its answer did not arrive. */
  giveBack(testId: string | null, entry: Entry): void;
  /** How often each entry answered since it was loaded, over all tests and attempts, as it is now. */
  totalUses(): (entry: Entry) => number;
  /** Whether a use was taken back since the test began: what went wrong then does not go wrong again. */
  wasGivenBack(testId: string | null, entry: Entry): boolean;
  /** Counts a request for a target; answers how many came before it. */
  countCall(testId: string | null, target: Target): number;
  /** How many requests for a target were counted. */
  callsOf(testId: string | null, target: Target): number;
  /** The scenario's state; {@link START} at first. */
  stateOf(testId: string | null): string;
  /** Moves on to the state that an entry names. */
  moveOn(testId: string | null, entry: Entry): void;
  /** How a test stands with a plan; a look that leaves no trace. */
  peekPlan(testId: string | null, plan: Plan): PlanState | undefined;
  /** How a test stands with a plan, to be changed. */
  planOf(testId: string | null, plan: Plan): PlanState;
  /** The test ids that have a state, the one of requests without an id last. */
  testIds(): readonly (string | null)[];
  /** What was used of each block, before a reload, counts for the equal block that took its place. */
  carry(pairs: readonly (readonly [Block, Block])[]): void;
  isEvicted(testId: string | null): boolean;
  /** Forgets one test id, or all of them with the untagged state. `__default__` takes the untagged state with it. */
  reset(testId?: string): void;
  /** 0 means no cap. Evicts at once what is now too much. */
  setCap(cap: number): void;
}

/** The state that every scenario begins in. Source: scripting sheet, 1. */
const START = "start";

/** What few tests need is made when it is needed: there may be a record for each of many thousand tests. */
interface TestRecord {
  readonly uses: Map<Entry, number>;
  calls: Map<string, number> | null;
  plans: Map<Plan, PlanState> | null;
  /** The state before each entry moved it on. */
  before: Map<Entry, string> | null;
  givenBack: Set<Entry> | null;
  state: string;
}

/** Evicts first in, first out by first use, and tells `evicting` of each. The state of requests without a test id is never evicted. */
export function createConsumption(initialCap: number, evicting: () => void): Consumption {
  let cap = initialCap;
  const records = new Map<string, TestRecord>();
  let untagged = createRecord();
  /** The uses of tests whose records are gone. Weak: an entry that is loaded no more is not counted any more. */
  const forgotten = new WeakMap<Entry, number>();
  const evicted = new Set<string>();

  function forget({ uses }: TestRecord): void {
    for (const [entry, times] of uses) forgotten.set(entry, (forgotten.get(entry) ?? 0) + times);
  }

  function evictPastCap(): void {
    if (cap === 0) return;
    for (const [oldest, record] of records) {
      if (records.size <= cap) return;
      forget(record);
      records.delete(oldest);
      evicted.add(oldest);
      evicting();
    }
  }

  const recordOf = (testId: string | null) => (testId === null ? untagged : records.get(testId));

  function ownRecord(testId: string | null): TestRecord {
    const known = recordOf(testId);
    if (known !== undefined || testId === null) return known ?? untagged;
    const record = createRecord();
    records.set(testId, record);
    evictPastCap();
    return record;
  }

  return {
    get cap() {
      return cap;
    },
    timesUsedBy(testId) {
      const uses = recordOf(testId)?.uses;
      return uses === undefined ? () => 0 : (entry) => uses.get(entry) ?? 0;
    },
    use(testId, entry) {
      countUp(ownRecord(testId).uses, entry);
    },
    totalUses() {
      const kept = new Map<Entry, number>();
      for (const { uses } of [untagged, ...records.values()]) {
        for (const [entry, times] of uses) kept.set(entry, (kept.get(entry) ?? 0) + times);
      }
      return (entry) => (kept.get(entry) ?? 0) + (forgotten.get(entry) ?? 0);
    },
    countCall(testId, target) {
      const record = ownRecord(testId);
      record.calls ??= new Map();
      return countUp(record.calls, countedAs(target));
    },
    callsOf: (testId, target) => recordOf(testId)?.calls?.get(countedAs(target)) ?? 0,
    stateOf: (testId) => recordOf(testId)?.state ?? START,
    moveOn(testId, entry) {
      if (entry.setState === null) return;
      const record = ownRecord(testId);
      record.before ??= new Map();
      record.before.set(entry, record.state);
      record.state = entry.setState;
    },
    giveBack(testId, entry) {
      const record = recordOf(testId);
      const uses = record?.uses.get(entry);
      if (record === undefined || uses === undefined) return;
      if (uses === 1) record.uses.delete(entry);
      else record.uses.set(entry, uses - 1);
      const counted = countedAs(entry.target);
      const calls = record.calls?.get(counted);
      if (calls !== undefined) record.calls?.set(counted, calls - 1);
      if (record.state === entry.setState) record.state = record.before?.get(entry) ?? record.state;
      record.givenBack ??= new Set();
      record.givenBack.add(entry);
    },
    wasGivenBack: (testId, entry) => recordOf(testId)?.givenBack?.has(entry) ?? false,
    peekPlan: (testId, plan) => recordOf(testId)?.plans?.get(plan),
    planOf(testId, plan) {
      const record = ownRecord(testId);
      record.plans ??= new Map();
      const state = record.plans.get(plan) ?? createPlanState();
      record.plans.set(plan, state);
      return state;
    },
    testIds: () => [...records.keys(), null],
    carry(pairs) {
      const entries = new Map(pairs.flatMap(([before, now]) => zip(entriesOf(before), entriesOf(now))));
      const plans = new Map(pairs.flatMap(([before, now]) => zip(plansOf(before), plansOf(now))));
      for (const [before, now] of entries) forgotten.set(now, forgotten.get(before) ?? 0);
      for (const record of [untagged, ...records.values()]) {
        moveKeys(record.uses, entries);
        if (record.plans !== null) moveKeys(record.plans, plans);
      }
    },
    isEvicted: (testId) => testId !== null && evicted.has(testId),
    reset(testId) {
      if (testId === undefined || testId === "__default__") {
        forget(untagged);
        untagged = createRecord();
      }
      for (const gone of testId === undefined ? [...records.keys()] : [testId]) {
        const record = records.get(gone);
        if (record !== undefined) forget(record);
        records.delete(gone);
      }
      if (testId === undefined) evicted.clear();
      else evicted.delete(testId);
    },
    setCap(next) {
      cap = next;
      evictPastCap();
    },
  };
}

function countedAs({ kind, name }: Target): string {
  return `${kind} ${name}`;
}

function createRecord(): TestRecord {
  return { uses: new Map(), calls: null, plans: null, before: null, givenBack: null, state: START };
}

/** Adds one and answers the count before. */
function countUp<Key>(counts: Map<Key, number>, key: Key): number {
  const before = counts.get(key) ?? 0;
  counts.set(key, before + 1);
  return before;
}

function plansOf({ script }: Block): readonly Plan[] {
  return script === null ? [] : [script.plan];
}

function moveKeys<Key, Value>(map: Map<Key, Value>, keys: ReadonlyMap<Key, Key>): void {
  for (const [before, value] of [...map]) {
    const now = keys.get(before);
    if (now === undefined) continue;
    map.delete(before);
    map.set(now, value);
  }
}
