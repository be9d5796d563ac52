import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { CLI } from "../_support/program.ts";
import { tempFolder } from "../_support/temp.ts";

// Each command of a guide starts a program or two.
vi.setConfig({ testTimeout: 120_000 });

const ROOT = resolve(import.meta.dirname, "../..");

const GUIDES = ["mock-a-server", "override-a-tool", "record-and-replay", "fake-commands", "check-a-log"];

test.each(GUIDES)("docs/%s.md: its files and commands do what it shows", (name) => {
  const folder = project();
  const blocks = blocksOf(name);
  const files = [...blocksOf("mock-a-server").filter(({ info }) => info === "js call.mjs"), ...blocks];
  for (const { info, text } of files) {
    const [, file] = /^js(?:on)? (\S+)$/.exec(info) ?? [];
    if (file !== undefined) writeFileSync(join(folder, file), text);
  }
  const shown = blocks
    .filter(({ info }) => info === "sh")
    .map(({ text }) => text)
    .join("");
  expect(shown).not.toBe("");
  expect(run(shown, folder)).toBe(shown);
});

interface Block {
  /** What stands behind the three ticks. */
  readonly info: string;
  readonly text: string;
}

function blocksOf(name: string): Block[] {
  const page = readFileSync(join(ROOT, "docs", `${name}.md`), "utf8");
  return [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, info = "", text = ""]) => ({ info, text }));
}

/** Runs the lines that begin with `$` in one shell; answers the session as a guide shows it. */
function run(shown: string, cwd: string): string {
  const commands = shown.split("\n").flatMap((line) => (line.startsWith("$ ") ? [line.slice(2)] : []));
  const script = commands.map((command) => `printf '%s\\n' ${quote(`$ ${command}`)}\n{ ${command}\n} 2>&1\n`).join("");
  const env = { ...process.env, PATH: `${join(cwd, "bin")}${delimiter}${process.env.PATH}`, CI: "" };
  return spawnSync("bash", ["-c", script], { cwd, env, encoding: "utf8" }).stdout;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A folder where `npx` finds what an installation would have, and `import` this package. */
function project(): string {
  const folder = tempFolder();
  const modules = join(ROOT, "node_modules");
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(modules, "@modelcontextprotocol"), join(folder, "node_modules/@modelcontextprotocol"));
  symlinkSync(ROOT, join(folder, "node_modules/mcp-fakes"));
  const everything = join(modules, "@modelcontextprotocol/server-everything/dist/index.js");
  const npx = join(folder, "bin/npx");
  writeFileSync(
    npx,
    `#!/bin/sh
case "$*" in
  "-y @modelcontextprotocol/server-everything") exec ${quote(process.execPath)} ${quote(everything)} stdio ;;
  mcp-fakes*) shift; exec ${quote(process.execPath)} ${quote(CLI)} "$@" ;;
  *) echo "npx: not known here: $*" >&2; exit 1 ;;
esac
`,
  );
  chmodSync(npx, 0o755);
  return folder;
}
