import { mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fillProject } from "../_support/consumer-project.ts";
import { finish, start } from "../_support/runner-process.ts";
import type { RunnerName } from "./matrix.ts";
import type { Installed, Suite } from "./suite.ts";

const COMPILER = resolve(import.meta.dirname, "../../node_modules/typescript-7/bin/tsc");

/** A way to get at `expect`. */
interface Program {
  readonly name: string;
  readonly runner: RunnerName;
  /** What the usage file imports `expect` and `mcp` from. */
  readonly source: string;
  /** Packages whose types are global. */
  readonly types?: readonly string[];
  /** The same with other people's matchers in it. */
  readonly beside?: string;
}

const PROGRAMS: readonly Program[] = [
  {
    name: "vitest",
    runner: "vitest",
    source: 'export { mcp } from "mcp-fakes/vitest";\nexport { expect } from "vitest";\n',
    beside: `import "@testing-library/jest-dom/vitest";
import "jest-extended";
import { expect } from "vitest";
expect("text").toBeInTheDocument();
`,
  },
  {
    name: "@jest/globals",
    runner: "jest",
    source: 'export { mcp } from "mcp-fakes/jest";\nexport { expect } from "@jest/globals";\n',
    beside: `import "@testing-library/jest-dom/jest-globals";
import { expect } from "@jest/globals";
expect("text").toBeInTheDocument();
`,
  },
  {
    name: "@types/jest",
    runner: "jest",
    source: 'export { mcp } from "mcp-fakes/jest";\nconst given = expect;\nexport { given as expect };\n',
    types: ["jest"],
    beside: `import "@testing-library/jest-dom";
import "jest-extended";
expect("text").toBeInTheDocument();
expect({}).toBeEmptyObject();
`,
  },
  {
    name: "expect",
    runner: "jest",
    source: 'export { mcp } from "mcp-fakes/jest/expect";\nexport { expect } from "expect";\n',
  },
];

/** The usage file of `test/consumers/types`, compiled for each way to get at a runner's `expect`. */
export const typesSuite: Suite = {
  name: "types",
  async run(installed) {
    const programs = PROGRAMS.filter(({ runner }) => runner === installed.line.runner).flatMap(aloneAndBeside);
    const problems = await Promise.all(programs.map((program) => compile(program, installed)));
    return { passed: problems.filter(({ length }) => length === 0).length, problems: problems.flat() };
  },
};

function aloneAndBeside(program: Program): Program[] {
  const { beside, ...alone } = program;
  return beside === undefined ? [alone] : [alone, { ...program, name: `${program.name}, beside others`, beside }];
}

async function compile({ name, source, types = [], beside = "" }: Program, { folder }: Installed): Promise<string[]> {
  const own = mkdtempSync(join(folder, "types-"));
  try {
    const compilerOptions = {
      module: "nodenext",
      target: "es2023",
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      // Beside others, what is lost or wrong shows where it is used; to check their declarations takes most of the time.
      skipLibCheck: beside !== "",
      types: ["node", ...types],
    };
    const tsconfig = JSON.stringify({ compilerOptions, include: ["*.ts"] });
    fillProject(own, "types", { "runner.ts": source, "beside.ts": `${beside}export {};\n`, "tsconfig.json": tsconfig });
    const { output } = await finish(
      start({ folder: own, args: [COMPILER, "--project", ".", "--singleThreaded"], env: {} }),
    );
    return problemsIn(output).map((problem) => `${name}: ${problem}`);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** What the compiler says of the package and of its use; the declarations of other packages are their own affair. */
function problemsIn(output: string): string[] {
  const errors = output.split(/^(?=\S)/m).filter((text) => text.trim() !== "");
  return errors.filter((text) => !/node_modules\/(?!mcp-fakes\/)/.test(text.replace(/:.*/s, "")));
}
