import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isOffline } from "../_support/on-demand.ts";
import { installProject, nodeOf, packPackage } from "./install.ts";
import { ALL_CELLS, type Cell, type RunnerLine, SOME_CELLS } from "./matrix.ts";
import type { Findings, Installed } from "./suite.ts";
import { SUITES } from "./suites.ts";

/** How a cell went; `null` when it could not be fetched, and so says nothing. */
type Outcome = Findings | null;

/**
 * `npm run test:compat`: the consumer projects on every supported runner, each on one Node line; with `--all`, on every
 * line that it runs on. Exits with 1 when anything is not as it should be.
 */
const cells = process.argv.includes("--all") ? ALL_CELLS : SOME_CELLS;
const temp = mkdtempSync(join(tmpdir(), "mcp-fakes-compat-"));
const outcomes: Outcome[] = [];
try {
  const installed = await installLines(new Set(cells.map(({ line }) => line)));
  printRow(["runner", "Node", "passed", "failed", "time"]);
  for (const cell of cells) outcomes.push(await report(cell, () => outcomeOf(cell, installed)));
} finally {
  rmSync(temp, { recursive: true });
}
const skipped = outcomes.filter((outcome) => outcome === null);
if (skipped.length > 0) console.log(`${skipped.length} of ${cells.length} were skipped: nothing is shown of them.`);
if (outcomes.some((outcome) => outcome !== null && outcome.problems.length > 0)) process.exitCode = 1;

/** All at once. What went wrong with one is said by its cells. */
async function installLines(lines: ReadonlySet<RunnerLine>): Promise<ReadonlyMap<RunnerLine, Promise<string>>> {
  const tarball = await packPackage(temp);
  const installs = new Map([...lines].map((line) => [line, installProject(line, tarball)]));
  await Promise.allSettled(installs.values());
  return installs;
}

async function outcomeOf({ line, node }: Cell, folders: ReadonlyMap<RunnerLine, Promise<string>>): Promise<Outcome> {
  try {
    return await runSuites({ line, folder: (await folders.get(line)) ?? "", node: await nodeOf(node) });
  } catch (error) {
    return isOffline(error) ? null : { passed: 0, problems: [String(error)] };
  }
}

/** Two at a time: much of a runner's start is waiting. */
async function runSuites(installed: Installed): Promise<Findings> {
  const waiting = [...SUITES];
  const all: Findings[] = [];
  async function work(): Promise<void> {
    for (let suite = waiting.shift(); suite !== undefined; suite = waiting.shift()) {
      const { name } = suite;
      const { passed, problems } = await suite.run(installed);
      all.push({ passed, problems: problems.map((problem) => `${name}: ${problem}`) });
    }
  }
  await Promise.all([work(), work()]);
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    problems: all.flatMap(({ problems }) => problems),
  };
}

async function report({ line, node }: Cell, run: () => Promise<Outcome>): Promise<Outcome> {
  const started = performance.now();
  const outcome = await run();
  const name = [line.name, String(node)];
  const seconds = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  if (outcome === null) printRow([...name, "skipped: the registry cannot be reached"]);
  else printRow([...name, String(outcome.passed), String(outcome.problems.length), seconds]);
  for (const problem of outcome?.problems ?? []) console.log(problem.replace(/^/gm, "    "));
  return outcome;
}

function printRow([runner = "", node = "", ...cells]: readonly string[]): void {
  console.log([runner.padEnd(10), node.padStart(4), ...cells.map((cell) => cell.padStart(7))].join("  "));
}
