import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createProject } from "../test/_support/consumer-project.ts";
import { median } from "./peer.ts";

export interface PluginRow {
  readonly what: string;
  readonly "without ms": number;
  readonly "with ms": number;
  readonly "cost ms": number;
}

const WITHOUT = { config: "export default {};", import: "", use: "" };
const WITH = {
  config: 'import { mcpFakes } from "mcp-fakes/vitest"; export default { plugins: [mcpFakes()] };',
  import: 'import { mcp } from "mcp-fakes/vitest";',
  use: "expect(mcp).toHaveConsumedAllFakes();",
};

/** What the plugin adds to a test (announced, one matcher, ended) and to a test file before its first test. */
export async function measurePlugin(size: { tests: number; files: number; rounds: number }): Promise<PluginRow[]> {
  const perTest = await compare(
    { files: 1, tests: size.tests, rounds: size.rounds },
    ({ running }) => running / size.tests,
  );
  const perFile = await compare({ files: size.files, tests: 1, rounds: size.rounds }, ({ before }) => before);
  return [
    { what: "per test: announce, one matcher, end", ...perTest },
    { what: "per test file, before its first test", ...perFile },
  ];
}

interface Run {
  /** Milliseconds that the tests ran for. */
  readonly running: number;
  /** Milliseconds of set-up of a file, median over files. */
  readonly before: number;
}

async function compare(
  { files, tests, rounds }: { files: number; tests: number; rounds: number },
  of: (run: Run) => number,
): Promise<Omit<PluginRow, "what">> {
  const measured: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    measured[0].push(of(await runSuite(WITHOUT, files, tests)));
    measured[1].push(of(await runSuite(WITH, files, tests)));
  }
  const [without, withPlugin] = measured.map(median) as [number, number]; // two lists in, two medians out
  const round = (ms: number) => Math.round(ms * 100) / 100;
  return { "without ms": round(without), "with ms": round(withPlugin), "cost ms": round(withPlugin - without) };
}

async function runSuite(variant: typeof WITH, files: number, tests: number): Promise<Run> {
  const body = `import { expect, test } from "vitest";\n${variant.import}\nfor (let i = 0; i < ${tests}; i++) test("test " + i, () => { ${variant.use} });\n`;
  const suites = Array.from({ length: files }, (_, file) => [`suite-${file}.test.js`, body]);
  const project = createProject(null, {
    "vitest.config.js": variant.config,
    "reporter.mjs": REPORTER,
    ...Object.fromEntries(suites),
  });
  try {
    const args = ["node_modules/vitest/vitest.mjs", "run", "--maxWorkers=1", "--reporter=./reporter.mjs"];
    await promisify(execFile)(process.execPath, args, { cwd: project.folder });
    return JSON.parse(await readFile(join(project.folder, "result.json"), "utf8"));
  } finally {
    project.remove();
  }
}

/** Writes what Vitest itself measured of each file: its set-up files, and its tests with their hooks. */
const REPORTER = `
import { writeFileSync } from "node:fs";
export default class {
  onTestRunEnd(modules) {
    const of = (key) => modules.map((module) => module.diagnostic()[key]).sort((a, b) => a - b);
    const middle = (values) => values[Math.floor(values.length / 2)];
    writeFileSync("result.json", JSON.stringify({ running: middle(of("duration")), before: middle(of("setupDuration")) }));
  }
}
`;
