import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const README = await readFile(join(ROOT, "README.md"), "utf8");

/** The files of a page: a line that is only a name in backticks, then the file. */
function filesOf(page: string): Map<string, string> {
  const files = page.matchAll(/^`([^`\n]+)`\n\n```\w+\n(.*?)^```$/gms);
  return new Map([...files].map(([, name = "", text = ""]) => [name, text]));
}

const FILES = filesOf(README);

const FIRST_USE = new Map([...FILES].slice(0, 3));

/** The code block that a text stands in, whole. */
function blockWith(text: string): string {
  const block = [...README.matchAll(/^```\w+\n(.*?)^```$/gms)]
    .map(([, code = ""]) => code)
    .find((code) => code.includes(text));
  if (block === undefined) throw new Error(`No code block of the README holds ${JSON.stringify(text)}`);
  return block;
}

async function emptyProject(files: ReadonlyMap<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mcp-fakes-readme-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "node_modules"));
  await symlink(ROOT, join(folder, "node_modules/mcp-fakes"));
  for (const name of ["vitest", "@modelcontextprotocol"]) {
    await symlink(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  }
  for (const [name, text] of [["package.json", '{ "type": "module" }'], ...files] as [string, string][]) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

function run(cwd: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "" };
  return new Promise((done) => {
    const child = execFile(process.execPath, args, { cwd, env }, (_error, stdout, stderr) =>
      done({ code: child.exitCode, output: stripVTControlCharacters(stdout + stderr) }),
    );
  });
}

const VITEST = [join(ROOT, "node_modules/vitest/vitest.mjs"), "run"];

test("the README's three files are all that a first use needs", async () => {
  expect([...FIRST_USE.keys()]).toEqual(["vitest.config.ts", "fixtures/tickets.json", "tickets.test.ts"]);
  const { code, output } = await run(await emptyProject(FIRST_USE), VITEST);
  expect(output).toContain("Tests  1 passed (1)");
  expect(code).toBe(0);
});

test("an agent that does not retry turns the test red, with the text that the README shows", async () => {
  const tests = FILES.get("tickets.test.ts") ?? "";
  const broken = tests.replace(/^.*isError.*\n/m, "").replace(/^.*toHaveCalledToolTimes.*\n/m, "");
  const { code, output } = await run(await emptyProject(new Map([...FIRST_USE, ["tickets.test.ts", broken]])), VITEST);
  expect(output).toContain(blockWith("1 unused fake:").trimEnd());
  expect(output).toContain("Tests  1 failed (1)");
  expect(code).toBe(1);
});

test("docs/resources-and-prompts.md: its fakes answer its test, whose first line is needed", async () => {
  const page = await readFile(join(ROOT, "docs/resources-and-prompts.md"), "utf8");
  const config = FILES.get("vitest.config.ts") ?? "";
  const files = new Map([["vitest.config.ts", config], ...filesOf(page)]);
  const test = files.get("handbook.test.ts") ?? "";
  const unknown = test.replace(/^.*mcp\.fake.*\n/m, "").replaceAll("although", "and");
  const project = await emptyProject(files.set("unscripted.test.ts", unknown));
  const { output } = await run(project, VITEST);
  expect(output).toContain("Tests  1 failed | 1 passed (2)");
  expect(output).toContain("FAIL  unscripted.test.ts");
});

const SEARCHES = (
  calls: string,
) => `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { mcp } from "mcp-fakes/vitest";
import { expect, test } from "vitest";

test("searches", async () => {
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp.url)));
  await client.callTool({ name: "search", arguments: { query: "rain" } });
  await client.close();
  expect(mcp.calls).toMatchObject([{ outcome: "handler", result: { content: [{ text: "Results for rain" }] } }]);
  ${calls}});
`;

test("the README's tools in code answer, and docs/calls.md shows a snapshot of what it asked", async () => {
  const page = await readFile(join(ROOT, "docs/calls.md"), "utf8");
  const [, calls = ""] = /^```ts\n(.*?)^```$/ms.exec(page) ?? [];
  const files: [string, string][] = [
    ["mocks.ts", FILES.get("mocks.ts") ?? ""],
    ["vitest.config.ts", FILES.get("vitest.config.ts")?.replace('fixtures: "./fixtures"', 'setup: "./mocks.ts"') ?? ""],
    ["search.test.ts", SEARCHES(calls)],
  ];
  const { output } = await run(await emptyProject(new Map(files)), [...VITEST, "--update"]);
  expect(output).toContain("Snapshots  1 written");
  expect(output).toContain("Tests  1 passed (1)");
});

test("the README's Jest configuration is that of docs/jest.md, and brings the fixtures to a test", async () => {
  const config = FILES.get("jest.config.mjs") ?? "";
  expect(filesOf(await readFile(join(ROOT, "docs/jest.md"), "utf8"))).toEqual(new Map([["jest.config.mjs", config]]));
  const tests = `const { mcp } = require("mcp-fakes/jest");
describe("tickets", () => {
  test("retry on timeout", () => {
    expect(mcp.report().unconsumed).toHaveLength(2);
    mcp.verify("off");
  });
});
`;
  const fixtures = FILES.get("fixtures/tickets.json") ?? "";
  const files = {
    "jest.config.mjs": config,
    "fixtures/tickets.json": fixtures,
    "tickets.test.js": tests,
    "package.json": "{}",
  };
  const project = await emptyProject(new Map(Object.entries(files)));
  const { output } = await run(project, [join(ROOT, "node_modules/jest/bin/jest.js")]);
  expect(output).toContain("Tests:       1 passed, 1 total");
});

test("the README's server in code starts and stops", async () => {
  const project = await emptyProject(new Map([["server.mjs", blockWith("new LLMock({ port: 0 })")]]));
  expect(await run(project, ["server.mjs"])).toEqual({ code: 0, output: "" });
});
