import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { WIRE_ENV } from "./wire-children.ts";

/** The built command line. */
export const CLI = join(resolve(import.meta.dirname, "../.."), "dist/cli.mjs");

/** A program that runs. */
export interface Program {
  readonly child: ChildProcess;
  /** Everything that it has printed so far. */
  readonly output: { stdout: string; stderr: string };
  /** What stdout matches, as soon as it does; rejects when the program ends before. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** How it ended. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the built command line; it is killed when the test ends, unless it has ended by itself. */
export function startCli(args: readonly string[], { cwd = process.cwd(), env = {} }: ProgramOptions = {}): Program {
  if (!existsSync(CLI)) throw new Error("There is no dist/cli.mjs: run `npm run build` first");
  const child = spawn(process.execPath, [CLI, ...args], { cwd, env: { ...process.env, ...WIRE_ENV, ...env } });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output.stderr += chunk;
  });
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    child,
    output,
    ended,
    until: (pattern) =>
      new Promise((done, failed) => {
        const look = () => {
          const found = pattern.exec(output.stdout);
          if (found !== null) done(found);
        };
        look();
        child.stdout.on("data", look);
        ended.then(() => failed(new Error(`ended before ${pattern}:\n${output.stdout}${output.stderr}`)));
      }),
  };
}

/** Starts `serve` on a free port and waits until it listens. */
export async function startServe(
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<Program & { readonly url: string }> {
  const program = startCli(["serve", "--port", "0", ...args], options);
  const [, url = ""] = await program.until(/^\[mcp-fakes\] listening on (http:\S+)$/m);
  return { ...program, url };
}
