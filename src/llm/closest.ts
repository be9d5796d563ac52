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
 * with the fewest keys that do not hold, and of these the one with the most that do.
 */
export function closestFixture(
  visible: readonly TurnFixture[],
  askingOf: (fixture: TurnFixture) => Asking,
): { closest: Closest | null; outOfTurn: number } {
  let nearest: { fixture: TurnFixture; failed: number; held: number } | null = null;
  let outOfTurn = 0;
  for (const fixture of visible) {
    const asking = askingOf(fixture);
    const failing = MATCH_FIELDS.filter((field) => !field.holds(fixture.match, asking));
    const failed = failing.length;
    const held = MATCH_FIELDS.filter(({ key }) => fixture.match[key] !== undefined).length - failed;
    if (failed === 1 && failing[0]?.key === "sequenceIndex") outOfTurn += 1;
    if (nearest === null || failed < nearest.failed || (failed === nearest.failed && held > nearest.held)) {
      nearest = { fixture, failed, held };
    }
  }
  if (nearest === null) return { closest: null, outOfTurn };
  const { fixture } = nearest;
  return { closest: { fixtureId: fixture.id, differences: differences(fixture.match, askingOf(fixture)) }, outOfTurn };
}
