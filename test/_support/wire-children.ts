import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { threadId } from "node:worker_threads";

/** Where the servers of this worker's child processes leave what is wrong with their messages. */
const PROBLEMS = join(tmpdir(), `mcp-wire-problems-${process.pid}-${threadId}`);

/** What a child process is started with, so that each message of a server in it, or in a thread of it, is checked too. */
export const WIRE_ENV: Readonly<Record<string, string>> = {
  NODE_OPTIONS: `--require ${join(import.meta.dirname, "programs/wire-preload.cjs")}`,
  WIRE_PROBLEMS: PROBLEMS,
};

/** The problems of child processes since the last call. */
export function takeChildProblems(): string[] {
  try {
    const lines = readFileSync(PROBLEMS, "utf8").trim().split("\n");
    rmSync(PROBLEMS);
    return lines;
  } catch {
    return []; // nobody has written any
  }
}
