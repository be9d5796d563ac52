import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";

/** For Node itself, e.g. `--cpu-prof`. */
const NODE_ARGS = process.env.BENCH_NODE_ARGS?.split(" ") ?? [];

/** Starts a program of `peers/` in a process of its own. */
export function startPeer(file: string, env: Readonly<Record<string, string>> = {}): ChildProcess {
  return fork(join(import.meta.dirname, "peers", file), {
    execArgv: [...NODE_ARGS, "--import", "jiti/register"],
    env: { ...process.env, ...env },
  });
}

/** The next message of a peer; rejects when it ends instead. */
export function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`A peer ended with code ${code} before it answered`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message as T); // the peers are our own
    });
  });
}

export interface Usage {
  readonly cpu: NodeJS.CpuUsage;
  /** Resident bytes. */
  readonly memory: number;
}

/** What a running peer has used so far. */
export function usageOf(child: ChildProcess): Promise<Usage> {
  const answer = answerOf<Usage>(child);
  child.send("usage");
  return answer;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
