import type { RunnerTestCase } from "vitest";

/** Under this name a failed test's trace goes from its worker to the main process. */
const TRACE = "mcp-fakes/trace";

/** Leaves the trace of a test's last attempt, or none. */
export function leaveTrace({ meta }: Pick<RunnerTestCase, "meta">, trace: string | null): void {
  Reflect.set(meta, TRACE, trace ?? undefined);
}

/** Takes the trace that a test left, if there is one: no report of the runner's own is to show it. */
export function takeTrace(meta: object): string | null {
  const trace: unknown = Reflect.get(meta, TRACE);
  Reflect.deleteProperty(meta, TRACE);
  return typeof trace === "string" ? trace : null;
}
