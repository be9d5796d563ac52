import { existsSync } from "node:fs";
import { UsageError } from "./command.ts";

/** Throws a `UsageError` when a file is there that a command would write, unless `--force` says to. */
export function refuseFileThere(path: string, { force }: Readonly<Record<string, unknown>>): void {
  if (existsSync(path) && force !== true) {
    throw new UsageError(`${path} is there already: name another file, or replace it with --force`);
  }
}
