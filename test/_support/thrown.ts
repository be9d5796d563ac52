import type { McpFakesAddError } from "../../src/errors.ts";

/** What a function throws; fails when it throws nothing. */
export function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("expected an error, but none was thrown");
}

/** The messages of all problems that an add or a load was refused for. */
export function problemsOf(run: () => unknown): string[] {
  const error = thrownBy(run) as McpFakesAddError;
  return (error.errors ?? [error]).map(({ message }) => message);
}
