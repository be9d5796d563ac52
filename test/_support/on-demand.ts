import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const CACHE = resolve(import.meta.dirname, "../../.cache");

/** A tool that is too heavy to be a dependency: it is fetched when a test first needs it, and then kept. */
export interface OnDemand {
  /** The package with its exact version; several, when it needs others beside it. */
  readonly spec: string | readonly string[];
  /** Its folder below `.cache`. */
  readonly home: string;
  /** The program, below `node_modules`. */
  readonly program: string;
}

/** The program's path; fetches the package unless it is there. Throws when the registry cannot be reached. */
export async function fetchTool({ spec, home, program }: OnDemand): Promise<string> {
  const prefix = join(CACHE, home);
  const path = join(prefix, "node_modules", program);
  if (existsSync(path)) return path;
  await mkdir(CACHE, { recursive: true });
  // Two test files may fetch one tool at the same time: each in its own folder, and the first that is done keeps it.
  const fresh = await mkdtemp(`${prefix}-`);
  try {
    const quiet = ["--no-save", "--no-audit", "--no-fund"];
    await promisify(execFile)("npm", ["install", ...quiet, "--prefix", fresh, ...[spec].flat()]);
    await rename(fresh, prefix).catch((error) => {
      if (!existsSync(path)) throw error;
    });
    return path;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** What `fetching` gives. Skips the test, with the reason, when the registry cannot be reached; all else fails it. */
export async function fetchedOrSkipped<T>(fetching: Promise<T>, skip: (note: string) => never): Promise<T> {
  try {
    return await fetching;
  } catch (error) {
    if (isOffline(error)) skip(`the registry cannot be reached: ${error}`);
    throw error;
  }
}

/** Whether an error, or what a package manager wrote, says that the registry cannot be reached. */
export function isOffline(error: unknown): boolean {
  return /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|E?TIMEDOUT|E5\d\d)\b/.test(
    String(error),
  );
}
