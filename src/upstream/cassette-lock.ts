import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Keeps other recorders from a cassette until the answered function is called, or this process ends. Throws an `Error`
 * that names the process which has it. A lock whose process has ended is taken over.
 */
export function lockCassette(path: string): () => void {
  const lock = `${path}.lock`;
  mkdirSync(dirname(path), { recursive: true });
  while (!created(lock)) {
    const holder = readFileSync(lock, "utf8");
    if (isRunning(holder)) {
      throw new Error(
        `${path} is being recorded by process ${holder}: end it, name another cassette, or let both clients speak to one recorder by --port (${lock} says so; remove it when that is no recorder)`,
      );
    }
    rmSync(lock, { force: true });
  }
  const unlock = () => {
    process.off("exit", unlock);
    rmSync(lock, { force: true });
  };
  process.on("exit", unlock);
  return unlock;
}

// --- internal ---

function created(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** A lock with this process's own number is left from another that had it: in containers numbers come again. */
function isRunning(holder: string): boolean {
  const pid = Number(holder);
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
