import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { ShimEnvironment } from "../environment.ts";
import type { CommandState } from "./claim-run.ts";

/** Where the state of commands is kept: beside their log, else in the folder of their shims. */
type StatePlace = Pick<ShimEnvironment, "log" | "shimDir">;

/** Counts a run of a command, and answers how it stood before. */
export function countCall(command: string, place: StatePlace): CommandState {
  return change(place, ({ state, calls }) => {
    const callIndex = calls[command] ?? 0;
    return { after: { state, calls: { ...calls, [command]: callIndex + 1 } }, value: { callIndex, state } };
  });
}

/** Moves the scenario on. */
export function moveTo(state: string, place: StatePlace): void {
  change(place, ({ calls }) => ({ after: { state, calls }, value: null }));
}

// --- internal ---

interface StoredState {
  readonly state: string;
  /** Runs by command. */
  readonly calls: Readonly<Record<string, number>>;
}

/**
 * Reads, changes and writes the state as one step, however many processes do so at once. When the log that it belongs
 * to is gone, or has lost lines, a new scenario has begun.
 */
function change<T>(
  { log, shimDir }: StatePlace,
  step: (before: StoredState) => { readonly after: StoredState; readonly value: T },
): T {
  const path = log === null ? join(shimDir ?? ".", ".mcp-fakes-state.json") : `${log}.state.json`;
  mkdirSync(dirname(path), { recursive: true });
  const unlock = lock(`${path}.lock`);
  try {
    const logSize = log === null ? 0 : sizeOf(log);
    const { after, value } = step(read(path, logSize));
    writeFileSync(`${path}.new`, JSON.stringify({ ...after, logSize }));
    renameSync(`${path}.new`, path);
    return value;
  } finally {
    unlock();
  }
}

const BEGINNING: StoredState = { state: "start", calls: {} };

function read(path: string, logSize: number): StoredState {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return BEGINNING;
  }
  // Only this module writes the file, and whole: a rename puts it in place.
  const stored: StoredState & { logSize: number } = JSON.parse(text);
  return logSize < stored.logSize ? BEGINNING : stored;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

const LOCK_WAIT_MS = 10_000;
const LOCK_POLL_MS = 4;

/** Holds a file that nobody else can make; one whose process has died is taken over. */
function lock(path: string): () => void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; waited < LOCK_WAIT_MS; waited += LOCK_POLL_MS) {
    try {
      const file = openSync(path, "wx");
      writeSync(file, String(process.pid));
      closeSync(file);
      return () => unlinkSync(path);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      if (isAbandoned(path)) removeQuietly(path);
      else Atomics.wait(pause, 0, 0, LOCK_POLL_MS);
    }
  }
  throw new Error(`the state file is locked for too long: remove ${path} if no shim is running`);
}

function isAbandoned(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Somebody else was faster.
  }
}
