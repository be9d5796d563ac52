import { relative, sep } from "node:path";
import type { Circus, Config } from "@jest/types";
import { ask, control } from "../../src/control/client.ts";
import type { SkippedTest } from "../../src/journal/tests.ts";
import { enterTest, type RunningTest, runPartOf } from "../shared/current-test.ts";
import { announceEnd, announceStart, type Ending } from "../shared/verdict.ts";
import { runFacts } from "../shared/worker-state.ts";
import { FOLLOWED } from "./settings.ts";
import { isTimedOut, showPlace, toError } from "./test-errors.ts";
import { isSuiteHook, placesIn, type TestPlace, testHooksIn } from "./test-tree.ts";
import { isGeneratorFunction, wrapFunction } from "./wrap-function.ts";

/** What is used of a Jest environment, of whichever kind. */
export interface Environment {
  readonly global: object;
  handleTestEvent?: ((event: Circus.Event, state: Circus.State) => void | Promise<void>) | undefined;
}

/** The file whose tests an environment runs. */
export interface TestFile {
  readonly config: Pick<Config.ProjectConfig, "id" | "rootDir">;
  readonly testPath: string;
}

/**
 * Gives each test of a file its id, announces its start and end to the server, and makes it red when the agent did not
 * do what its fakes say. Hears of the tests what jest-circus tells the environment. Does nothing the second time.
 */
export function followTests(environment: Environment, file: TestFile): void {
  const own = environment.handleTestEvent;
  if (own !== undefined && FOLLOWED in own) return;
  const follow = createFollower(file);
  // The plugin first: what it finds wrong is there when the environment's own handler looks at the test's errors.
  async function handleTestEvent(event: Circus.Event, state: Circus.State): Promise<void> {
    if (event.name === "setup") Reflect.set(environment.global, FOLLOWED, true);
    await follow(event, state);
    await own?.call(environment, event, state);
  }
  environment.handleTestEvent = Object.assign(handleTestEvent, { [FOLLOWED]: true });
}

/** One attempt of a test. */
interface Attempt {
  readonly test: RunningTest;
  /** Ends it, once; what is said of it is the same however often it is asked for. */
  end(how: { isCutShort: boolean }): Promise<Ending>;
}

/**
 * A test with hooks begins and ends with the events that Jest waits for. A concurrent one has no hooks, and Jest 29 tells
 * of it when it is over: it begins and ends with its function, and only its verdict waits for the event.
 */
function createFollower({ config, testPath }: TestFile): (event: Circus.Event, state: Circus.State) => Promise<void> {
  const file = relative(config.rootDir, testPath).replaceAll(sep, "/");
  const attempts = new Map<Circus.TestEntry, Attempt>();
  let places = new Map<Circus.TestEntry, TestPlace>();
  /** The test that Jest runs with its hooks. */
  let current: Circus.TestEntry | null = null;
  let isBegun = false;
  let suiteHooks = 0;
  const skipped: SkippedTest[] = [];

  async function begin(entry: Circus.TestEntry): Promise<Attempt> {
    const { id, names } = places.get(entry) ?? { id: "", names: [] };
    const earlier = attempts.get(entry)?.test ?? null;
    const attempt = (earlier?.attempt ?? 0) + 1;
    const { verify } = runFacts();
    const isAlone = () => suiteHooks === 0;
    const place = { id, tag: id, file, names, project: config.id };
    const test: RunningTest = { ...place, attempt, verify, isAlone, adding: new Set(), added: [] };
    await announceStart(test, earlier);
    const leave = enterTest(test);
    let ended: Promise<Ending> | null = null;
    const begun: Attempt = {
      test,
      end(how) {
        leave();
        ended ??= announceEnd(test, how);
        return ended;
      },
    };
    attempts.set(entry, begun);
    return begun;
  }

  /** Before the first hook of a test, or its function when there is none. */
  async function beginCurrent(): Promise<void> {
    if (current === null || isBegun) return;
    isBegun = true;
    const { errors } = current;
    await begin(current).catch((error) => errors.push(error));
  }

  async function judge(entry: Circus.TestEntry): Promise<void> {
    for (const error of entry.errors.flat()) showPlace(error, entry);
    try {
      const ending = await attempts.get(entry)?.end({ isCutShort: isTimedOut(entry) });
      if (ending === undefined) return;
      const { verdict, notes, trace } = ending;
      if (entry.failing) {
        if (verdict !== null) entry.errors = entry.errors.filter((error) => [error].flat()[0] !== entry.asyncError);
        return;
      }
      const told = verdict ?? (entry.errors.length > 0 ? notes : null);
      if (told === null && entry.errors.length === 0) return;
      const error = toError({ told, trace: await trace() }, entry, config.rootDir);
      if (error !== null) entry.errors.push(error);
    } catch (error) {
      entry.errors.push(error);
    }
  }

  function wrapAll(root: Circus.DescribeBlock): void {
    const found = placesIn(root, file);
    places = new Map(found.map((place) => [place.entry, place]));
    for (const hook of testHooksIn(root)) hook.fn = wrapFunction(hook.fn, inCurrent);
    for (const { entry } of found) {
      if (entry.fn === undefined) continue;
      entry.fn = entry.concurrent ? concurrently(entry, entry.fn) : wrapFunction(entry.fn, inCurrent);
    }
  }

  function inCurrent<T>(body: () => T): T {
    const attempt = current === null ? undefined : attempts.get(current);
    return attempt === undefined ? body() : runPartOf(attempt.test, body);
  }

  function concurrently(entry: Circus.TestEntry, fn: Circus.TestFn): Circus.TestFn {
    if (isGeneratorFunction(fn)) throw new Error(`test.concurrent takes no generator function: "${entry.name}".`);
    return async function (this: unknown) {
      const { test, end } = await begin(entry);
      try {
        await runPartOf(test, () => Reflect.apply(fn, this, []));
      } finally {
        await end({ isCutShort: false }).catch(() => {}); // said when the verdict is asked for
      }
    };
  }

  /** What is told at a run's end of unused fixtures is not said of those that are for skipped tests. */
  async function tellSkipped({ hasFocusedTests, testNamePattern }: Circus.State): Promise<void> {
    if (testNamePattern || skipped.length === 0) return;
    await ask(runFacts(), control.skipTests(hasFocusedTests ? null : skipped)).catch(() => {}); // no test depends on it
  }

  return async (event, state) => {
    const { rootDescribeBlock } = state;
    switch (event.name) {
      case "run_start":
        return wrapAll(rootDescribeBlock);
      case "test_start":
        current = event.test.concurrent ? null : event.test;
        isBegun = false;
        return;
      case "hook_start":
        if (!isSuiteHook(event.hook)) return beginCurrent();
        suiteHooks++;
        return;
      case "hook_success":
      case "hook_failure":
        if (isSuiteHook(event.hook)) suiteHooks--;
        return;
      case "test_fn_start":
        return beginCurrent();
      case "test_done":
        return judge(event.test);
      case "test_skip":
      case "test_todo": {
        const { id: testId, names } = places.get(event.test) ?? { id: "", names: [] };
        return void skipped.push({ testId, names });
      }
      case "run_finish":
        return tellSkipped(state);
    }
  };
}
