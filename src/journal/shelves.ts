import type { JournalRecord } from "./journal.ts";
import { createQueue } from "./queue.ts";

/** The records that a journal keeps: all in the order they came, and those of each test on a shelf of their own. */
export interface Shelves {
  /** How many records are kept; forgotten ones count until they are the oldest. */
  size(): number;
  /** `key` names the test. */
  add(key: string, record: JournalRecord): void;
  /** Takes the oldest record away. `isForgotten` when its test had been forgotten before. */
  dropOldest(): { readonly record: JournalRecord; readonly isForgotten: boolean } | undefined;
  /** Oldest first. */
  all(): readonly JournalRecord[];
  /** One test's, oldest first. */
  of(key: string): readonly JournalRecord[];
  /** How many of a test's records were dropped since they were last forgotten. */
  dropped(key: string): number;
  forget(key: string): void;
}

/** Of how many tests that have no records left it is remembered how many they had. */
const EMPTY_MAX = 100_000;

interface Shelf {
  readonly key: string;
  records: JournalRecord[];
  dropped: number;
  isForgotten: boolean;
}

const NONE: JournalRecord[] = [];

export function createShelves(): Shelves {
  const shelves = new Map<string, Shelf>();
  /** The shelf of each record, in the order they came: a full journal drops a record with each call, and must not search for it. */
  const order = createQueue<Shelf>();
  const emptied = createQueue<string>();

  function noteEmpty(shelf: Shelf): void {
    shelf.records = NONE;
    emptied.push(shelf.key);
    if (emptied.size() <= EMPTY_MAX) return;
    const oldest = emptied.shift();
    if (oldest !== undefined && shelves.get(oldest)?.records.length === 0) shelves.delete(oldest);
  }

  return {
    size: order.size,
    add(key, record) {
      let shelf = shelves.get(key);
      if (shelf === undefined) {
        shelf = { key, records: NONE, dropped: 0, isForgotten: false };
        shelves.set(key, shelf);
      }
      if (shelf.records === NONE) shelf.records = [record];
      else shelf.records.push(record);
      order.push(shelf);
    },
    dropOldest() {
      const shelf = order.shift();
      // The oldest of all is the oldest of its own test.
      const record = shelf?.records.shift();
      if (record === undefined || shelf === undefined) return undefined;
      const { isForgotten } = shelf;
      if (isForgotten) return { record, isForgotten };
      shelf.dropped++;
      if (shelf.records.length === 0) noteEmpty(shelf);
      return { record, isForgotten };
    },
    all: () => [...shelves.values()].flatMap(({ records }) => records).sort((one, other) => one.seq - other.seq),
    of: (key) => shelves.get(key)?.records ?? NONE,
    dropped: (key) => shelves.get(key)?.dropped ?? 0,
    forget(key) {
      const shelf = shelves.get(key);
      if (shelf === undefined) return;
      shelf.isForgotten = true;
      shelves.delete(key);
    },
  };
}
