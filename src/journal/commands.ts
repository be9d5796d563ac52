/** How the scripted commands of each test stand: what a shim without a server keeps in a file. */
export interface CommandStates {
  /**
   * Counts a run of a command; answers how it stood before, or `null` when that cannot be known: too many tests run
   * commands.
   */
  count(testId: string | null, command: string): { readonly callIndex: number; readonly state: string } | null;
  moveTo(testId: string | null, state: string): void;
  reset(testId: string): void;
  clear(): void;
}

/** The state that every scenario begins in. */
const START = "start";

/** `max`: how many tests' commands are kept apart. What stands is never dropped: a count that began anew would be wrong. */
export function createCommandStates({ max }: { max: number }): CommandStates {
  const tests = new Map<string | null, { state: string; readonly calls: Map<string, number> }>();

  function standing(testId: string | null) {
    const known = tests.get(testId);
    if (known !== undefined || tests.size >= max) return known;
    const made = { state: START, calls: new Map<string, number>() };
    tests.set(testId, made);
    return made;
  }

  return {
    count(testId, command) {
      const known = standing(testId);
      if (known === undefined) return null;
      const { state, calls } = known;
      const callIndex = calls.get(command) ?? 0;
      calls.set(command, callIndex + 1);
      return { callIndex, state };
    },
    moveTo(testId, state) {
      const known = standing(testId);
      if (known !== undefined) known.state = state;
    },
    reset: (testId) => void tests.delete(testId),
    clear: () => tests.clear(),
  };
}
