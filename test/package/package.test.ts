import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { fetchedOrSkipped, fetchTool, isOffline } from "../_support/on-demand.ts";
import { tempFolder, tempTree } from "../_support/temp.ts";

const ROOT = resolve(import.meta.dirname, "../..");

interface Manifest {
  readonly bin: unknown;
  readonly exports: Readonly<Record<string, { readonly require?: { readonly types: string } }>>;
  readonly typesVersions: unknown;
}

const PACKAGE: Manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Makes the tarball that would be published. */
function pack(folder: string): Packed {
  const printed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: ROOT,
  });
  const [packed] = JSON.parse(String(printed)) as Packed[];
  if (packed === undefined) throw new Error("npm pack made nothing");
  return packed;
}

test("the tarball holds what users need, and no source, test or note of ours", () => {
  const paths = pack(tempFolder()).files.map(({ path }) => path);
  const allowed =
    /^(dist\/[^/]+\.(mjs|cjs|mts|cts)|schema\/[^/]+\.json|jest-preset\.js|package\.json|README\.md|LICENSE)$/;
  expect(paths.filter((path) => !allowed.test(path))).toEqual([]);
  const { exports, bin } = PACKAGE;
  const named = JSON.stringify([exports, bin]).matchAll(/"\.\/(dist\/[^"]+)"/g);
  for (const [, path] of named) expect(paths).toContain(path);
});

test("what does not read `exports` finds the types of every entry all the same", () => {
  const required = Object.entries(PACKAGE.exports).flatMap(([name, { require: entry }]) =>
    entry === undefined || name === "." ? [] : [[name.slice("./".length), [entry.types]]],
  );
  expect(required).not.toEqual([]);
  expect(PACKAGE.typesVersions).toEqual({ "*": Object.fromEntries(required) });
});

test("the types add nothing to those of Node, which users would see too", () => {
  const typings = readdirSync(join(ROOT, "dist")).filter((name) => /\.d\.[cm]ts$/.test(name));
  expect(typings).toContain("vitest.d.mts");
  const texts = typings.map((name) => readFileSync(join(ROOT, "dist", name), "utf8"));
  expect(texts.flatMap((text) => text.match(/^declare module "node:.+"/gm) ?? [])).toEqual([]);
});

const ESM = `
import { LLMock } from "mcp-fakes";
import { MCPMock } from "mcp-fakes/mcp";
const llm = new LLMock().mount("/mcp", new MCPMock());
console.log(new URL(await llm.start()).hostname);
await llm.stop();
`;

const CJS = `
const { LLMock } = require("mcp-fakes");
const { MCPMock } = require("mcp-fakes/mcp");
const llm = new LLMock().mount("/mcp", new MCPMock());
llm.start().then((url) => { console.log(new URL(url).hostname); return llm.stop(); });
`;

const TYPED = `
import { LLMock, type McpFakeBlock } from "mcp-fakes";
import { MCPMock } from "mcp-fakes/mcp";
const block: McpFakeBlock = { scope: "shared", tools: [{ name: "t", calls: [{ anyArgs: true, result: "1" }] }] };
new MCPMock().loadFakes(block).warnings.length.toFixed();
// @ts-expect-error a block needs a scope
const unscoped: McpFakeBlock = { tools: [] };
const url: Promise<string> = new LLMock({ port: 0 }).start();
export { unscoped, url };
`;

/** A project that the tarball is to be installed in, and a way to run programs there. */
function createProject(files: Readonly<Record<string, unknown>> = {}) {
  const folder = tempTree({
    "package.json": { name: "consumer", private: true },
    "esm.mjs": ESM,
    "cjs.cjs": CJS,
    ...files,
  });
  const run = (program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8" });
    expect(status, `${program} ${args.join(" ")}\n${stdout}${stderr}`).toBe(0);
    return stdout;
  };
  const install = (skip: (note: string) => never, program: string, ...args: string[]) => {
    const tarball = `./${pack(folder).filename}`;
    const { status, stdout, stderr } = spawnSync(program, [...args, tarball], { cwd: folder, encoding: "utf8" });
    if (status !== 0 && isOffline(stdout + stderr)) skip(`the registry cannot be reached: ${stdout}${stderr}`);
    expect(status, `${program} ${args.join(" ")}\n${stdout}${stderr}`).toBe(0);
  };
  return { install, run };
}

test("a project made from the tarball runs it as ESM and CommonJS, and sees its types", { timeout: 300_000 }, ({
  skip,
}) => {
  const { install, run } = createProject({ "typed.ts": TYPED });
  install(skip, "npm", "install", "--prefer-offline", "--no-audit", "--no-fund");

  expect(run("node", "esm.mjs")).toBe("127.0.0.1\n");
  expect(run("node", "cjs.cjs")).toBe("127.0.0.1\n");
  expect(run("npx", "--no-install", "mcp-fakes", "--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const flags = [
    "--noEmit",
    "--strict",
    "--target",
    "es2023",
    "--types",
    "node",
    "--typeRoots",
    join(ROOT, "node_modules/@types"),
  ];
  for (const [module, resolution, ...others] of [
    ["node16", "node16"],
    ["preserve", "bundler"],
    ["commonjs", "node10", "--ignoreDeprecations", "6.0"],
  ] as const) {
    const how = ["--module", module, "--moduleResolution", resolution, ...others];
    expect(run("node", tsc, ...flags, ...how, "typed.ts")).toBe("");
  }
});

/** They lay packages out in other ways than npm: nothing is found there that `package.json` does not name. */
const MANAGERS = [
  {
    name: "pnpm",
    tool: { spec: "pnpm@10.34.8", home: "pnpm", program: "pnpm/bin/pnpm.cjs" },
    files: {},
    install: ["add", "--prefer-offline"],
  },
  {
    name: "yarn",
    tool: { spec: "@yarnpkg/cli-dist@4.18.1", home: "yarn", program: "@yarnpkg/cli-dist/bin/yarn.js" },
    files: { ".yarnrc.yml": "enableTelemetry: false\n", "yarn.lock": "" },
    install: ["add"],
  },
] as const;

test.for(MANAGERS)(
  "a project of $name runs it as ESM and CommonJS",
  { timeout: 300_000 },
  async (manager, { skip }) => {
    const program = await fetchedOrSkipped(fetchTool(manager.tool), skip);
    const { install, run } = createProject(manager.files);
    install(skip, "node", program, ...manager.install);
    const runNode = (file: string) => run("node", program, "node", file);

    expect(runNode("esm.mjs")).toBe("127.0.0.1\n");
    expect(runNode("cjs.cjs")).toBe("127.0.0.1\n");
    expect(run("node", program, "exec", "mcp-fakes", "--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
  },
);
