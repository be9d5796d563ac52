import type { AddedBlock } from "./fake-places.ts";
import type { Verify } from "./options.ts";
import { usageError } from "./own-errors.ts";
import { runFacts, workerState } from "./worker-state.ts";

/** One attempt of a test, from before its first hook until after its last. */
export interface RunningTest {
  /** Its place's id; from its announcement on the one that the server knows it by. */
  id: string;
  /** What its requests are tagged with: its id, until another attempt of the same test starts. */
  tag: string;
  /** Path relative to the project root, with `/`. */
  readonly file: string;
  /** Which project of the run it belongs to. */
  readonly project: string;
  /** Names from the outermost describe to the test. */
  readonly names: readonly string[];
  /** 1 for the first try; retries and repeats count up. */
  readonly attempt: number;
  /** What turns this test red at its end. */
  verify: Verify;
  /** Whether code that lost its context can only be this test's: no hook of a whole suite runs beside it. */
  readonly isAlone: () => boolean;
  /** Fakes on their way to the server. A test that forgot to wait for them is not over before. */
  readonly adding: Set<Promise<unknown>>;
  /** What it added, and where. */
  readonly added: AddedBlock[];
}

/** Runs a test and all that it starts as `test`, however deep and late. */
export async function runAs<T>(test: RunningTest, body: () => Promise<T>): Promise<T> {
  const leave = enterTest(test);
  try {
    return await runPartOf(test, body);
  } finally {
    leave();
  }
}

/** Notes that a test is running; answers what notes its end. */
export function enterTest(test: RunningTest): () => void {
  const { running } = workerState();
  running.add(test);
  return () => running.delete(test);
}

/** Runs a part of a running test, a hook or its function, and all that it starts, as this test. */
export function runPartOf<T>(test: RunningTest, body: () => T): T {
  return workerState().tests.run(test, body);
}

/**
 * The test that the calling code belongs to, or `null`. Code whose context got lost (a socket's callback, a queue that
 * was made at the module's top) belongs to the only test that is running, when there is only one.
 */
export function currentTest(): RunningTest | null {
  return workerState().tests.getStore() ?? onlyTest();
}

/** The test that is running, when it is the only one. */
export function onlyTest(): RunningTest | null {
  const [only, ...others] = workerState().running;
  return only !== undefined && others.length === 0 && only.isAlone() ? only : null;
}

/**
 * The test that the calling code belongs to, for what changes its state.
 *
 * @throws {TypeError} also when it has ended: its fakes would be nobody's, or those of its next attempt.
 */
export function requireRunningTest(what: string): RunningTest {
  const test = requireTest(what);
  if (workerState().running.has(test)) return test;
  throw usageError(
    `${what} was used after its test had ended: ${test.id}. Await everything that the test starts before it returns.`,
  );
}

/**
 * The test that the calling code belongs to.
 *
 * @throws {TypeError} outside of a test, saying that `what` was used there.
 */
export function requireTest(what: string): RunningTest {
  runFacts();
  const test = currentTest();
  if (test !== null) return test;
  const { size } = workerState().running;
  const why =
    size === 0
      ? "No test is running here."
      : `${size} tests are running here, and none of them started the code that used it.`;
  throw usageError(
    `${what} belongs to a running test and was used outside of one. ${why} ` +
      "Use it inside test(), beforeEach() or afterEach(). mcp.url, mcp.urlOf() and mcp.llm work everywhere.",
  );
}
