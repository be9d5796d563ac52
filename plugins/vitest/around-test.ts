import type { RunnerTestCase } from "vitest";
import { type RunningTest, runAs } from "../shared/current-test.ts";
import { plainError } from "../shared/own-errors.ts";
import { announceEnd, announceStart, type Verdict } from "../shared/verdict.ts";
import { runFacts } from "../shared/worker-state.ts";
import { leaveTrace } from "./leave-trace.ts";
import { isSuiteHookRunning, placeOf } from "./test-tree.ts";

/** One attempt of a test, with its hooks. */
export interface Attempt {
  readonly test: RunningTest;
  /** Announces it to the server. */
  begin(): Promise<void>;
  /**
   * Has it judged by its fakes. A test that failed on its own keeps its errors; the verdict, or what else may be why,
   * comes after them.
   *
   * @throws {Error} the verdict, when the agent did not do what the fakes say.
   */
  end(): Promise<void>;
}

const lastAttempts = new WeakMap<RunnerTestCase, RunningTest>();

/** Runs one attempt of a test with its hooks, under the test's id. Throws the verdict on it. */
export async function runTestCase(task: RunnerTestCase, runTest: () => Promise<void>): Promise<void> {
  const { test, begin, end } = nextAttempt(task);
  await begin();
  await runAs(test, runTest);
  await end();
}

/** The attempt of a test that follows its last one. */
export function nextAttempt(task: RunnerTestCase): Attempt {
  const earlier = lastAttempts.get(task) ?? null;
  const test = attemptAt(task, (earlier?.attempt ?? 0) + 1);
  lastAttempts.set(task, test);
  return {
    test,
    begin: () => announceStart(test, earlier),
    async end() {
      const { verdict, notes, trace } = await announceEnd(test, { isCutShort: isTimedOut(task) });
      const hasFailed = task.result?.state === "fail";
      leaveTrace(task, hasFailed || verdict !== null ? await trace() : null);
      const told = verdict ?? (hasFailed ? notes : null);
      if (told !== null && task.result?.state !== "skip") throw toError(told);
    },
  };
}

function attemptAt(task: RunnerTestCase, attempt: number): RunningTest {
  const place = placeOf(task);
  const isAlone = () => !isSuiteHookRunning(task.file);
  const project = task.file.projectName ?? "";
  return {
    ...place,
    project,
    tag: place.id,
    attempt,
    verify: runFacts().verify,
    isAlone,
    adding: new Set(),
    added: [],
  };
}

function isTimedOut({ result }: RunnerTestCase): boolean {
  return (result?.errors ?? []).some(({ message }) => /^(Test|Hook) timed out in \d+ms/.test(message));
}

/** Vitest shows the difference between an error's `expected` and `actual`. */
function toError({ message, mismatch, frames }: Verdict): Error {
  const error = plainError(message, frames);
  return mismatch === null ? error : Object.assign(error, { expected: mismatch.expected, actual: mismatch.received });
}
