import type { TestModule, Vitest } from "vitest/node";
import type { SkippedTest } from "../../src/journal/tests.ts";
import { lastWord } from "../shared/last-word.ts";
import { declaresFixtures } from "../shared/start.ts";
import { annotateFailure } from "./annotate-failure.ts";
import { serversOf } from "./shared-servers.ts";
import { placesIn } from "./test-tree.ts";

/** Marks a run that is reported on, for all copies of this module. */
const REPORTED = Symbol.for("mcp-fakes/reported");

/**
 * Gives each failed test its trace, and says at the end of each run, below the summary, which tool calls belonged to no
 * running test and what was not used.
 */
export function reportRunsOf(vitest: Vitest): void {
  if (Reflect.has(vitest, REPORTED)) return;
  Reflect.set(vitest, REPORTED, true);
  vitest.config.reporters.push({
    onTestCaseResult: (testCase) => annotateFailure(vitest, testCase),
    async onTestRunEnd(modules) {
      const servers = serversOf(vitest).running();
      const isAsked = servers.some(({ options }) => declaresFixtures(options));
      const skipped = isAsked && (await isWholeRun(vitest, modules)) ? skippedIn(vitest) : null;
      for (const { server, options } of servers) {
        const word = lastWord(await (await server).findings(skipped), options);
        if (word === null) continue;
        vitest.logger.error(`\n${word.text}\n`);
        if (word.isError) process.exitCode = 1;
      }
    },
  });
}

/** Whether every test of every project ran that was not skipped: what is unused then is so for good. */
async function isWholeRun(vitest: Vitest, modules: readonly TestModule[]): Promise<boolean> {
  const { watch, testNamePattern, tagsFilter = [], project } = vitest.config;
  if (watch || testNamePattern !== undefined || tagsFilter.length > 0 || project.length > 0) return false;
  if (modules.some((module) => module.errors().length > 0)) return false;
  const specifications = await vitest.globTestSpecifications();
  return specifications.length === modules.length;
}

function skippedIn(vitest: Vitest): SkippedTest[] {
  const places = vitest.state.getFiles().flatMap((file) => [...placesIn(file)]);
  return places.flatMap(([{ mode }, { id: testId, names }]) => (mode === "run" ? [] : [{ testId, names: [...names] }]));
}
