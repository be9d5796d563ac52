import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { ShimEnvironment } from "../environment.ts";
import { outputOf } from "../journal/command-run.ts";
import type { CommandOutput } from "../journal/facts.ts";

/** What a real command did. */
export interface RealRun extends CommandOutput {
  readonly stdin: string;
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Runs the real command and copies its output live; `undefined` when there is none past the shims. */
export function runReal(
  command: string,
  argv: readonly string[],
  environment: Pick<ShimEnvironment, "path" | "shimDir" | "pathExtensions">,
): Promise<RealRun> | undefined {
  const path = withoutShims(environment);
  const program = find(command, path, environment.pathExtensions);
  if (program === undefined) return undefined;
  // Without the shims on its way, a command that starts itself again does not come back here.
  const env = { ...process.env, PATH: path.join(delimiter) };
  const stdin = process.stdin.isTTY ? "inherit" : "pipe";
  const child = spawn(program, argv, { env, stdio: [stdin, "pipe", "pipe"] });
  return followed(child);
}

// --- internal ---

function withoutShims({ path, shimDir }: Pick<ShimEnvironment, "path" | "shimDir">): readonly string[] {
  const shims = shimDir === null ? null : real(shimDir);
  return path.split(delimiter).filter((folder) => folder !== "" && real(folder) !== shims);
}

function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

function find(command: string, folders: readonly string[], extensions: readonly string[]): string | undefined {
  const names = process.platform === "win32" ? extensions.map((extension) => command + extension) : [command];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const FORWARDED: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

function followed(child: ChildProcess): Promise<RealRun> {
  const stdin = copied(process.stdin, child.stdin);
  const stdout = copied(child.stdout, process.stdout);
  const stderr = copied(child.stderr, process.stderr);
  // A command may end without reading all that it is given.
  child.stdin?.on("error", () => {});
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode, signal) => {
      for (const each of FORWARDED) process.off(each, forward);
      process.stdin.destroy();
      resolve({ stdin: stdin().toString("utf8"), ...outputOf(stdout(), stderr()), exitCode, signal });
    });
  });
}

/** Copies a stream as it comes; answers the way to get all of it. */
function copied(from: NodeJS.ReadableStream | null, to: NodeJS.WritableStream | null): () => Buffer {
  const chunks: Buffer[] = [];
  if (from !== null && to !== null) {
    from.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      to.write(chunk);
    });
    if (to !== process.stdout && to !== process.stderr) from.on("end", () => to.end());
  }
  return () => Buffer.concat(chunks);
}
