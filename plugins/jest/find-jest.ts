import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** How the packages of Jest depend on each other. A strict package manager shows each of them to those above only. */
const CHAIN = ["jest", "jest-cli", "jest-config"];

/**
 * The path of a module that Jest's configuration depends on, of the very Jest that a project uses.
 *
 * @throws {Error} when the project has no Jest.
 *
 * @example findInJest("jest-circus/runner", "/home/me/project");
 */
export function findInJest(module: string, root: string): string {
  for (const start of [join(root, "package.json"), fileURLToPath(import.meta.url)]) {
    try {
      const config = CHAIN.reduce((from, name) => createRequire(from).resolve(`${name}/package.json`), start);
      return createRequire(config).resolve(module);
    } catch {
      // Not installed there.
    }
  }
  throw new Error(`mcp-fakes: no Jest is found from ${root}. Install jest there.`);
}
