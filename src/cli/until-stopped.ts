const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** How long a stop may take before the program ends all the same */
const STOP_MS = 900;

/** The same for what may have to end the program of a server (`upstream/program.ts`). */
export const PROGRAMS_STOP_MS = 2500;

/** Resolves when somebody asks the program to end. Asked again, or kept from ending for `stopMs`, it ends at once. */
export function untilStopped(stopMs: number = STOP_MS): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = () => {
      if (asked) process.exit(1);
      asked = true;
      // Unreferenced: it only ends a program that something else keeps from ending.
      setTimeout(() => process.exit(0), stopMs).unref();
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, stop);
  });
}
