import { type ChildProcess, spawnSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import spawn from "cross-spawn";
import type { ProgramConfig } from "./schema.ts";

/** Starts a program with all that it starts itself as one group, so that none of it outlives this process. */
export function startProgram({ command, args = [], env, cwd }: ProgramConfig): ChildProcess {
  const child = spawn(command, args, { env, cwd, stdio: "pipe", detached: HAS_GROUPS, windowsHide: true });
  running.add(child);
  return child;
}

/** Ends a program and what it has started: by the end of its input, else by asking, else at once. */
export async function endProgram(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  if (!(await hasEnded(child, END_MS.input))) {
    signal(child, "SIGTERM");
    if (!(await hasEnded(child, END_MS.asked))) signal(child, "SIGKILL");
  }
  // What has left the group may still hold them, and this process with them.
  for (const pipe of child.stdio) pipe?.destroy();
  child.unref();
  running.delete(child);
}

// --- internal ---

/**
 * How long a program may take to end when its input has ended, and then when it is asked to: together less than the two
 * seconds after which a client asks the proxy itself.
 */
const END_MS = { input: 1000, asked: 600 };

/** Windows knows no groups, only who started whom. */
const HAS_GROUPS = process.platform !== "win32";

const POLL_MS = 20;

/** An end of this process is theirs too, however sudden it comes. */
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) signal(child, "SIGKILL");
});

async function hasEnded(child: ChildProcess, ms: number): Promise<boolean> {
  const until = performance.now() + ms;
  while (isAlive(child)) {
    if (performance.now() > until) return false;
    await setTimeout(POLL_MS);
  }
  return true;
}

/** Whether anything of its group is left. */
function isAlive(child: ChildProcess): boolean {
  if (HAS_GROUPS) return signal(child, 0);
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** Sends a signal to all of a program's group; false when nobody is there. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  if (!HAS_GROUPS) return spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"]).status === 0;
  try {
    return process.kill(-pid, name);
  } catch {
    return false;
  }
}
