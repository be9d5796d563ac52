import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { chooseRunner, fillProject } from "../_support/consumer-project.ts";
import { LATE, RED_CASES, type RedCase } from "../_support/red.ts";
import { finish, type RunnerResult, start } from "../_support/runner-process.ts";
import type { RunnerName } from "./matrix.ts";
import type { Findings, Suite } from "./suite.ts";
import { readTestReport, type TestOutcome } from "./test-report.ts";

export interface ConsumerSuite {
  readonly title: string;
  /** Its folder in `test/consumers`. */
  readonly project: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly args?: Readonly<Record<RunnerName, readonly string[]>>;
  readonly env?: Readonly<Partial<Record<RunnerName, Readonly<Record<string, string>>>>>;
  readonly judge: (run: ConsumerRun) => Findings;
}

/** How a runner ended, and its tests. */
interface ConsumerRun extends RunnerResult {
  /** The files whose tests should have run. */
  readonly files: readonly string[];
  readonly tests: readonly TestOutcome[];
}

const PROGRAMS = {
  vitest: ["../node_modules/vitest/vitest.mjs", "--run", "--reporter=json", "--outputFile=report.json"],
  jest: ["../node_modules/jest/bin/jest.js", "--json", "--outputFile=report.json"],
};

/** The tests of a consumer project, run below the folder where its packages are installed. */
export function consumerSuite({ title, project, files = {}, args, env, judge }: ConsumerSuite): Suite {
  return {
    name: title,
    async run({ line: { runner }, folder, node }) {
      const own = mkdtempSync(join(folder, `${project}-`));
      try {
        fillProject(own, project, files);
        chooseRunner(own, runner);
        const program = [...PROGRAMS[runner], ...(args?.[runner] ?? [])];
        const result = await finish(start({ node, folder: own, args: program, env: env?.[runner] ?? {} }));
        const tests = readTestReport(join(own, "report.json"), own);
        return judge({ ...result, files: testFilesOf(own, runner), tests });
      } finally {
        rmSync(own, { recursive: true, force: true });
      }
    },
  };
}

/** Every file's tests ran, none failed, and the runner says so. */
export function allGreen({ files, tests, ...run }: ConsumerRun): Findings {
  const passed = tests.filter(({ status }) => status === "passed");
  const failed = tests.filter(({ status }) => status === "failed");
  const silent = files.filter((file) => [...passed, ...failed].every((test) => test.file !== file));
  const problems = [
    ...failed.map(({ file, name, text }) => `${file}: ${name}\n${text}`),
    ...silent.map((file) => `${file}: no test ran`),
  ];
  return { passed: passed.length, problems: withExit(problems, run, 0) };
}

/** Every test of the red project is told what its agent did, and the run what came too late. */
export function allRed({ tests, ...run }: ConsumerRun): Findings {
  const untold = RED_CASES.filter((red) => !tests.some((test) => isToldOf(test, red)));
  const isLateTold = run.output.includes(LATE);
  const problems = [
    ...untold.map(({ file, why, text }) => `${file}: is not told of ${why}:\n${text}`),
    ...(isLateTold ? [] : [`the run is not told of the late call:${LATE}`]),
  ];
  return { passed: RED_CASES.length - untold.length + (isLateTold ? 1 : 0), problems: withExit(problems, run, 1) };
}

function isToldOf({ file, name, status, text }: TestOutcome, red: RedCase): boolean {
  return status === "failed" && file === red.file && name.endsWith(red.test) && text.includes(red.text);
}

/** With what the runner printed below the last one, and its exit code if nothing else says what went wrong. */
function withExit(problems: readonly string[], { exitCode, output }: RunnerResult, wanted: number): string[] {
  const all = problems.length > 0 || exitCode === wanted ? problems : [`the exit code is ${exitCode}, not ${wanted}`];
  return all.map((problem, index) => (index < all.length - 1 ? problem : `${problem}\n\n${output.slice(-3000)}`));
}

/** Without those that are for another runner alone. */
function testFilesOf(folder: string, runner: RunnerName): string[] {
  const other = runner === "vitest" ? "jest" : "vitest";
  return readdirSync(folder).filter((file) => file.endsWith(".test.ts") && !file.endsWith(`.${other}.test.ts`));
}
