const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** How long a stop may take before the program ends all the same */
const STOP_MS = 900;

/** The same for what may have to end the program of a server (`upstream/program.ts`). */
export const PROGRAMS_STOP_MS = 2500;

/**
 * Resolves when somebody asks the program to end, or when it has no more to do, as `done` says. Asked again, or kept from
 * ending for `stopMs`, it ends at once.
 */
export function untilStopped(stopMs: number = STOP_MS, done: Promise<void> | null = null): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const end = () => {
      // Unreferenced: it only ends a program that something else keeps from ending.
      setTimeout(() => process.exit(0), stopMs).unref();
      resolve();
    };
    const stop = () => {
      if (asked) process.exit(1);
      asked = true;
      end();
    };
    void done?.then(end);
    for (const signal of SIGNALS) process.on(signal, stop);
  });
}
