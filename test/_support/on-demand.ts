import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const CACHE = resolve(import.meta.dirname, "../../.cache");

/** A tool that is too heavy to be a dependency: it is fetched when a test first needs it, and then kept. */
export interface OnDemand {
  /** The package with its exact version. */
  readonly spec: string;
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
  await promisify(execFile)("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", prefix, spec]);
  return path;
}
