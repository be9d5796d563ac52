import type { TurnFixture } from "./fixture.ts";
import { type Asking, differences, MATCH_FIELDS } from "./match.ts";

/** The fixture that came closest to a request that none took, and what kept it from answering. */
export interface Closest {
  readonly fixtureId: string;
  /** `match.userMessage: expected text containing "refund", received "hello"`, one a key. */
  readonly differences: readonly string[];
}

/**
 * Looks through the fixtures that a request could see, in the order in which they would be asked. Closest is the one
 * with the fewest keys that do not hold, of these the one with the most that do, and then one that is still unused.
 */
export function closestFixture(
  visible: readonly TurnFixture[],
  askingOf: (fixture: TurnFixture) => Asking,
): { closest: Closest | null; outOfTurn: number } {
  let nearest: Candidate | null = null;
  let outOfTurn = 0;
  for (const fixture of visible) {
    const asking = askingOf(fixture);
    const failing = MATCH_FIELDS.filter((field) => !field.holds(fixture.match, asking));
    const used = MATCH_FIELDS.filter(({ key }) => fixture.match[key] !== undefined).length;
    if (failing.length === 1 && failing[0]?.key === "sequenceIndex") outOfTurn += 1;
    const distance = [failing.length, failing.length - used, asking.count];
    if (nearest === null || isLess(distance, nearest.distance)) nearest = { fixture, distance };
  }
  if (nearest === null) return { closest: null, outOfTurn };
  const { fixture } = nearest;
  return { closest: { fixtureId: fixture.id, differences: differences(fixture.match, askingOf(fixture)) }, outOfTurn };
}

interface Candidate {
  readonly fixture: TurnFixture;
  /** The lower, the closer; the first number that differs decides. */
  readonly distance: readonly number[];
}

function isLess(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return (one[at] ?? 0) < (other[at] ?? 0);
}
