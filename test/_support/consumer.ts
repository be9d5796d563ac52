import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { onTestFinished } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

/** How a runner's process ended. */
export interface ConsumerRun {
  readonly exitCode: number | null;
  /** Both streams, without colours, with `<root>` for the project's folder, `<port>` and `<time>`. */
  readonly output: string;
}

/** A small project that uses the built package as any other would, in a folder outside of this repository. */
export interface Consumer {
  readonly folder: string;
  /** Runs its tests with Vitest. */
  vitest(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<ConsumerRun>;
}

/**
 * Sets up one of the projects under `test/consumers/`, with more files or others, for the running test.
 *
 * @example const { exitCode } = await createConsumer("isolation").vitest();
 */
export function createConsumer(name: string | null, files: Readonly<Record<string, string>> = {}): Consumer {
  const folder = mkdtempSync(join(tmpdir(), "mcp-fakes-consumer-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  installPackages(join(folder, "node_modules"));
  if (name !== null) cpSync(join(ROOT, "test/consumers", name), folder, { recursive: true });
  for (const [path, content] of Object.entries({ "package.json": '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return {
    folder,
    vitest: (args = [], env = {}) =>
      run(folder, ["node_modules/vitest/vitest.mjs", "run", "--reporter=default", ...args], env),
  };
}

/** The package itself is copied: runners treat what lies in `node_modules` unlike a project's own files. */
function installPackages(modules: string): void {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
  cpSync(join(ROOT, "dist"), join(modules, "mcp-fakes/dist"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(modules, "mcp-fakes/package.json"));
}

/** What the outer runner's environment must not tell the inner one. */
const OUTER = /^(VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$|GITHUB_|MCP_FAKES_|OPENAI_|ANTHROPIC_)/;

function run(folder: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<ConsumerRun> {
  const inherited = Object.entries(process.env).filter(([name]) => !OUTER.test(name));
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), CI: "true", NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => {
      const text = stripVTControlCharacters(Buffer.concat(chunks).toString());
      resolve({ exitCode, output: withoutChance(text, folder) });
    });
  });
}

function withoutChance(text: string, folder: string): string {
  return text
    .replaceAll(folder, "<root>")
    .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, "$1:<port>")
    .replaceAll(/\b\d+(\.\d+)?m?s\b/g, "<time>");
}
