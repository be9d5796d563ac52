import type { Memory } from "./codec.ts";
import type { TurnMessage } from "./turn.ts";

/** What the server has said and may be referred to by an id later, each test for itself. */
export interface TurnMemory {
  keep(testId: string | null, memories: readonly Memory[]): void;
  recall(testId: string | null, id: string): readonly TurnMessage[] | undefined;
}

/** Most ids kept; the oldest go first. A conversation refers to its last turns, so this is never met by a test. */
const IDS_MAX = 10_000;

export function createTurnMemory(): TurnMemory {
  const kept = new Map<string, readonly TurnMessage[]>();
  const keyOf = (testId: string | null, id: string) => JSON.stringify([testId, id]);

  return {
    keep(testId, memories) {
      for (const { id, messages } of memories) {
        const key = keyOf(testId, id);
        kept.delete(key); // a scripted id that is said again is the newest again
        kept.set(key, messages);
      }
      for (const oldest of kept.keys()) {
        if (kept.size <= IDS_MAX) break;
        kept.delete(oldest);
      }
    },
    recall: (testId, id) => kept.get(keyOf(testId, id)),
  };
}
