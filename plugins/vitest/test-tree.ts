import type { RunnerTask, RunnerTestCase, RunnerTestFile } from "vitest";
import { testIds } from "../shared/test-id.ts";

/** Where a test stands in its file. */
export interface TestPlace {
  readonly id: string;
  /** Relative to the project root, with `/`. */
  readonly file: string;
  /** From the outermost describe to the test. */
  readonly names: readonly string[];
}

const placesOf = new WeakMap<RunnerTestFile, ReadonlyMap<RunnerTask, TestPlace>>();

/** The place of a test. All places of its file are worked out together, since equal names are numbered in file order. */
export function placeOf(test: RunnerTestCase): TestPlace {
  const { file } = test;
  const place = placesIn(file).get(test);
  if (place === undefined)
    throw new Error(`mcp-fakes: the test "${test.name}" is not in the task tree of ${file.name}.`);
  return place;
}

/** The places of all tests of a file. */
export function placesIn(file: RunnerTestFile): ReadonlyMap<RunnerTask, TestPlace> {
  const places = placesOf.get(file) ?? collectPlaces(file);
  placesOf.set(file, places);
  return places;
}

/** Whether a hook of a whole suite of the file (beforeAll, afterAll) is running. */
export function isSuiteHookRunning(file: RunnerTestFile): boolean {
  return suitesIn(file).some(({ result }) => [result?.hooks?.beforeAll, result?.hooks?.afterAll].includes("run"));
}

function collectPlaces(file: RunnerTestFile): ReadonlyMap<RunnerTask, TestPlace> {
  const tests = testsIn(file.tasks, []);
  const ids = testIds(
    file.name,
    tests.map(({ names }) => names),
  );
  return new Map(tests.map(({ test, names }, index) => [test, { id: ids[index] ?? "", file: file.name, names }]));
}

function testsIn(tasks: readonly RunnerTask[], parents: readonly string[]): { test: RunnerTask; names: string[] }[] {
  return tasks.flatMap((task) => {
    const names = [...parents, task.name];
    return task.type === "suite" ? testsIn(task.tasks, names) : [{ test: task, names }];
  });
}

function suitesIn(task: RunnerTask): RunnerTask[] {
  return task.type === "suite" ? [task, ...task.tasks.flatMap(suitesIn)] : [];
}
