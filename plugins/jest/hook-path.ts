import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ours } from "../shared/ours.ts";
import type { Settings } from "./settings.ts";

/**
 * The path of a global hook, another one for each project: Jest runs one that several projects name only once, and only
 * with the configuration of the first.
 */
export function hookPath(name: "global-setup" | "global-teardown", { id }: Settings): string {
  const path = ours(`jest-${name}.mjs`);
  if (id === 0) return path;
  const alias = join(aliasFolder(), `${name}-${id}.mjs`);
  writeFileSync(alias, `export { default } from ${JSON.stringify(pathToFileURL(path))};\n`);
  return alias;
}

let folder: string | null = null;

function aliasFolder(): string {
  if (folder !== null) return folder;
  const made = mkdtempSync(join(tmpdir(), "mcp-fakes-jest-"));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  folder = made;
  return made;
}
