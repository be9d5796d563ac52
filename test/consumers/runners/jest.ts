// The cases know no runner: they import this, or the file for another one beside it, as "runner.ts".
import { jest, test } from "@jest/globals";

export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
export { mcp } from "mcp-fakes/jest";

/** A test that is tried again when it fails. Jest knows this of whole files only; the other tests do not fail. */
export function retried(name: string, times: number, fn: () => Promise<void>): void {
  jest.retryTimes(times);
  test(name, fn);
}

/** A test that runs several times over, where the runner can do that. Jest cannot. */
export function repeated(name: string, _times: number, fn: () => Promise<void>): void {
  test(name, fn);
}

/** A test that is green when it fails. */
export function failing(name: string, fn: () => Promise<void>): void {
  test.failing(name, fn);
}
