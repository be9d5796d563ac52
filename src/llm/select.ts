import type { TurnFixture } from "./fixture.ts";

/**
 * The one that answers, of the fixtures that take a request, in registration order. `turnIndex` never excludes a
 * fixture; it says which of several is meant. The highest index not above the number of earlier assistant messages
 * wins, unless it equals that number and a fixture without an index was registered before it. With none so low, the
 * first without an index answers, and else the lowest index still to come.
 */
export function selectFixture(candidates: readonly TurnFixture[], assistantMessages: number): TurnFixture | undefined {
  const plain = candidates.find((each) => each.match.turnIndex === undefined);
  const reached = best(candidates, (index) => (index <= assistantMessages ? index : null));
  if (reached === undefined) return plain ?? best(candidates, (index) => -index);
  if (plain === undefined || reached.match.turnIndex !== assistantMessages) return reached;
  return candidates.indexOf(plain) < candidates.indexOf(reached) ? plain : reached;
}

/** The first fixture whose index ranks highest; a rank of `null` takes it out. */
function best(candidates: readonly TurnFixture[], rank: (index: number) => number | null): TurnFixture | undefined {
  let found: { fixture: TurnFixture; rank: number } | undefined;
  for (const fixture of candidates) {
    const ranked = fixture.match.turnIndex === undefined ? null : rank(fixture.match.turnIndex);
    if (ranked !== null && (found === undefined || ranked > found.rank)) found = { fixture, rank: ranked };
  }
  return found?.fixture;
}
