import type { RunnerTestCase } from "vitest";
import { enterTest } from "../shared/current-test.ts";
import { workerState } from "../shared/worker-state.ts";
import { nextAttempt } from "./around-test.ts";

/** What is used of Vitest's runner, before 4.1. */
interface Runner {
  /** Called and awaited before the hooks of each attempt of a test. */
  onBeforeTryTask(task: RunnerTestCase & { onFinished?: (() => Promise<void>)[] }, ...more: unknown[]): unknown;
}

const followed = new WeakSet<Runner>();

/**
 * Runs each attempt of a test under its id where Vitest has no hooks around a test: in the runner's class, so that a
 * runner of the user's own, made of it, has it too. Does nothing the second time.
 */
export async function followRunner(): Promise<void> {
  const { VitestTestRunner } = await import("vitest/runners");
  const runner: Runner = VitestTestRunner.prototype;
  if (followed.has(runner)) return;
  followed.add(runner);
  const { onBeforeTryTask } = runner;
  runner.onBeforeTryTask = async function (task, ...more) {
    const { test, begin, end } = nextAttempt(task);
    // Before anything is awaited, this is the runner's own context of this test alone: all that it does from here on.
    workerState().tests.enterWith(test);
    await Reflect.apply(onBeforeTryTask, this, [task, ...more]);
    await begin();
    const leave = enterTest(test);
    // What comes first here is called last, after all hooks; the runner empties it after each attempt.
    task.onFinished = [
      async () => {
        leave();
        await end();
      },
    ];
  };
}
