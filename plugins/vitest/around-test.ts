import type { RunnerTestCase } from "vitest";
import { type RunningTest, runAs } from "../shared/current-test.ts";
import { plainError } from "../shared/own-errors.ts";
import { announceEnd, announceStart, type Verdict } from "../shared/verdict.ts";
import { runFacts } from "../shared/worker-state.ts";
import { isSuiteHookRunning, placeOf } from "./test-tree.ts";

const lastAttempts = new WeakMap<RunnerTestCase, RunningTest>();

/**
 * Runs one attempt of a test with its hooks: announced to the server, under the test's id, judged by its fakes at the
 * end. A test that failed on its own keeps its errors; the verdict comes after them.
 *
 * @throws {Error} the verdict, when the agent did not do what the fakes say.
 */
export async function runTestCase(task: RunnerTestCase, runTest: () => Promise<void>): Promise<void> {
  const earlier = lastAttempts.get(task) ?? null;
  const test = attemptAt(task, (earlier?.attempt ?? 0) + 1);
  lastAttempts.set(task, test);
  await announceStart(test, earlier);
  await runAs(test, runTest);
  const verdict = await announceEnd(test);
  if (verdict !== null && task.result?.state !== "skip") throw toError(verdict);
}

function attemptAt(task: RunnerTestCase, attempt: number): RunningTest {
  const place = placeOf(task);
  const isAlone = () => !isSuiteHookRunning(task.file);
  return { ...place, tag: place.id, attempt, verify: runFacts().verify, isAlone };
}

/** Vitest shows the difference between an error's `expected` and `actual`. */
function toError({ message, mismatch }: Verdict): Error {
  const error = plainError(message);
  return mismatch === null ? error : Object.assign(error, { expected: mismatch.expected, actual: mismatch.received });
}
