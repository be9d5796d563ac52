import type { Reporter, TestCase, Vitest } from "vitest/node";
import { takeTrace } from "./leave-trace.ts";

/**
 * Gives a failed test its trace as an annotation, which the reporters for HTML, JUnit and GitHub show too. Done here and
 * not in the worker: there, a test may not be annotated any more once it has failed.
 */
export async function annotateFailure(vitest: Vitest, testCase: TestCase): Promise<void> {
  const message = takeTrace(testCase.meta());
  const task = vitest.state.idMap.get(testCase.id);
  if (message === null || task?.type !== "test" || testCase.result().state !== "failed") return;
  const annotation = { message, type: TITLE, location: locationOf(testCase) };
  task.annotations.push(annotation);
  await Promise.all(reportersOf(vitest).map((reporter) => reporter.onTestCaseAnnotate?.(testCase, annotation)));
}

const TITLE = "MCP trace";

/** Where the test failed in its own file; else where it is written, or the file alone. GitHub shows no annotation without. */
function locationOf(testCase: TestCase): { file: string; line: number; column: number } {
  const { moduleId: file } = testCase.module;
  const frames = (testCase.result().errors ?? []).flatMap(({ stacks = [] }) => stacks);
  const frame = frames.find((each) => each.file === file) ?? testCase.location ?? { line: 1, column: 1 };
  return { file, line: frame.line, column: frame.column };
}

/** Vitest keeps its reporters to itself, and tells them of annotations that workers make. */
function reportersOf(vitest: Vitest): readonly Reporter[] {
  const reporters: unknown = Reflect.get(vitest, "reporters");
  return Array.isArray(reporters) ? reporters : [];
}
