// The cases know no runner: they import this, or the file for another one beside it, as "runner.ts".
import { test } from "vitest";

export { mcp } from "mcp-fakes/vitest";
export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

/** A test that is tried again when it fails. */
export function retried(name: string, times: number, fn: () => Promise<void>): void {
  test(name, { retry: times }, fn);
}

/** A test that runs several times over. */
export function repeated(name: string, times: number, fn: () => Promise<void>): void {
  test(name, { repeats: times }, fn);
}

/** A test that is green when it fails. */
export function failing(name: string, fn: () => Promise<void>): void {
  test.fails(name, fn);
}
