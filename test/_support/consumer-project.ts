import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { finish, type RunnerResult, start, type Watcher, watch } from "./runner-process.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const RUNNERS = join(ROOT, "test/consumers/runners");

/** A small project with the built package installed. */
export interface ConsumerProject {
  readonly folder: string;
  /** Runs its tests once with Vitest. */
  vitest(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<RunnerResult>;
  /** Runs its tests once with Jest. */
  jest(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<RunnerResult>;
  /** Starts a runner that watches, or a test that waits. */
  follow(runner: "vitest" | "jest", args: readonly string[]): Watcher;
  /** Runs another program of Node's in its folder. */
  node(args: readonly string[]): Promise<RunnerResult>;
  remove(): void;
}

/** Copies a project from `test/consumers/`, and what they share, to a folder of its own, with more files or others. */
export function createProject(name: string | null, files: Readonly<Record<string, string>> = {}): ConsumerProject {
  const folder = mkdtempSync(join(tmpdir(), "mcp-fakes-consumer-"));
  installPackages(join(folder, "node_modules"));
  fillProject(folder, name, files);
  const vitest = ["node_modules/vitest/vitest.mjs", "--reporter=default"];
  const jest = ["node_modules/jest/bin/jest.js"];
  return {
    folder,
    vitest(args = [], env = {}) {
      chooseRunner(folder, "vitest");
      return finish(start({ folder, args: [...vitest, "--run", ...args], env }));
    },
    jest(args = [], env = {}) {
      chooseRunner(folder, "jest");
      return finish(start({ folder, args: [...jest, ...args], env }));
    },
    follow(runner, args) {
      chooseRunner(folder, runner);
      return watch(start({ folder, args: [...(runner === "jest" ? jest : vitest), ...args], env: {} }));
    },
    node: (args) => finish(start({ folder, args, env: {} })),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Copies a project from `test/consumers/`, and what they share, to a folder, with more files or others. */
export function fillProject(folder: string, name: string | null, files: Readonly<Record<string, string>>): void {
  for (const part of ["shared", name]) {
    if (part !== null) cpSync(join(ROOT, "test/consumers", part), folder, { recursive: true });
  }
  for (const [path, content] of Object.entries({ "package.json": '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Says to a project's cases which runner runs them. */
export function chooseRunner(folder: string, runner: "vitest" | "jest"): void {
  cpSync(join(RUNNERS, `${runner}.ts`), join(folder, "runner.ts"));
}

/** The package itself is copied: runners treat what lies in `node_modules` unlike a project's own files. */
function installPackages(modules: string): void {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
  cpSync(join(ROOT, "dist"), join(modules, "mcp-fakes/dist"), { recursive: true });
  for (const file of ["package.json", "jest-preset.js"]) cpSync(join(ROOT, file), join(modules, "mcp-fakes", file));
}
