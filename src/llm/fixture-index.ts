import type { TurnFixture } from "./fixture.ts";
import { MATCH_FIELDS } from "./match.ts";
import { createPartIndex, createWholeIndex, type PartIndex } from "./part-index.ts";
import type { Turn } from "./turn.ts";

/** The fixtures of one scope, filed so that a request need not be held against each of them. */
export interface FixtureIndex {
  add(fixture: TurnFixture, order: number): void;
  remove(fixture: TurnFixture): void;
  /** Every fixture that may take the turn: all that do, and few that do not. In no order. */
  candidates(turn: Turn): OrderedFixture[];
  all(): readonly OrderedFixture[];
}

/** A fixture and its place in the order of registration. */
export interface OrderedFixture {
  readonly fixture: TurnFixture;
  readonly order: number;
}

/** So few fixtures are tried one by one faster than a long text is walked. */
const FEW = 32;

/** The fixtures that are filed by one key of `match`. */
interface Shelf {
  keyOf(fixture: TurnFixture): string | null;
  textsOf(turn: Turn): readonly string[];
  readonly index: PartIndex<OrderedFixture>;
}

/**
 * Files each fixture under the first of its match keys that can be filed by (tool call id, user message, …).
 * Fixtures with none of these are candidates for every turn.
 */
export function createFixtureIndex(): FixtureIndex {
  const everything = new Map<TurnFixture, OrderedFixture>();
  const unfiled = new Set<OrderedFixture>();
  const shelves = MATCH_FIELDS.flatMap(({ filed }): Shelf[] => {
    if (filed === undefined) return [];
    const index = filed.by === "part" ? createPartIndex<OrderedFixture>() : createWholeIndex<OrderedFixture>();
    return [{ index, keyOf: ({ match }) => filed.key(match), textsOf: filed.texts }];
  });

  return {
    add(fixture, order) {
      const ordered = { fixture, order };
      everything.set(fixture, ordered);
      for (const { index, keyOf } of shelves) {
        const key = keyOf(fixture);
        if (key !== null) return index.add(key, ordered);
      }
      unfiled.add(ordered);
    },
    remove(fixture) {
      const ordered = everything.get(fixture);
      if (ordered === undefined) return;
      everything.delete(fixture);
      unfiled.delete(ordered);
      for (const { index, keyOf } of shelves) {
        const key = keyOf(fixture);
        if (key !== null) index.remove(key, ordered);
      }
    },
    candidates(turn) {
      if (everything.size <= FEW) return [...everything.values()];
      const filed = shelves.flatMap(({ index, textsOf }) => textsOf(turn).flatMap((text) => index.candidates(text)));
      return [...unfiled, ...filed];
    },
    all: () => [...everything.values()],
  };
}
