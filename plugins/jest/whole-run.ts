import type { Config } from "@jest/types";

/** Whether a run is of every test of all its projects: what is unused then is so for good. */
export function isWholeRun(run: Config.GlobalConfig, projects: number): boolean {
  const { watch, watchAll, bail, shard, testNamePattern, nonFlagArgs, filter } = run;
  const { onlyChanged, onlyFailures, findRelatedTests, lastCommit, changedSince, runTestsByPath } = run;
  const parts = [shard, testNamePattern, filter, changedSince, nonFlagArgs.length, bail, ...pathPatterns(run)];
  const flags = [watch, watchAll, onlyChanged, onlyFailures, findRelatedTests, lastCommit, runTestsByPath];
  return projects === Math.max(1, run.projects.length) && ![...parts, ...flags].some(Boolean);
}

/** Jest 29 has one text where Jest 30 has an object. */
function pathPatterns(run: Config.GlobalConfig): readonly unknown[] {
  return "testPathPatterns" in run ? run.testPathPatterns.patterns : [Reflect.get(run, "testPathPattern")];
}
