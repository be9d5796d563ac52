/** How the scripted commands of each test stand: what a shim without a server keeps in a file. */
export interface CommandStates {
  /** Counts a run of a command; answers how it stood before. */
  count(testId: string | null, command: string): { readonly callIndex: number; readonly state: string };
  moveTo(testId: string | null, state: string): void;
  reset(testId: string): void;
}

/** The state that every scenario begins in. */
const START = "start";

export function createCommandStates(): CommandStates {
  const tests = new Map<string | null, { state: string; readonly calls: Map<string, number> }>();

  function standing(testId: string | null) {
    const known = tests.get(testId) ?? { state: START, calls: new Map<string, number>() };
    tests.set(testId, known);
    return known;
  }

  return {
    count(testId, command) {
      const { state, calls } = standing(testId);
      const callIndex = calls.get(command) ?? 0;
      calls.set(command, callIndex + 1);
      return { callIndex, state };
    },
    moveTo(testId, state) {
      standing(testId).state = state;
    },
    reset: (testId) => void tests.delete(testId),
  };
}
