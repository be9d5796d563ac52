import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { fetchNode } from "../_support/node-binary.ts";
import { fetchTool } from "../_support/on-demand.ts";
import type { NodeLine, RunnerLine } from "./matrix.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

/** What the consumer projects use beside their runner, in the versions of this repository. */
const USED = ["@modelcontextprotocol/sdk", "@modelcontextprotocol/client", "undici", "axios", "@swc/jest", "@swc/core"];

/** Makes the tarball that would be published; its path. */
export async function packPackage(folder: string): Promise<string> {
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: ROOT,
  });
  const [{ filename }] = JSON.parse(stdout);
  return join(folder, filename);
}

/**
 * A project that has a runner and the package installed from the registry and the tarball. The package manager sees its
 * peers and dependencies; it is asked again only when those change. Throws when the registry cannot be reached.
 */
export async function installProject({ name, packages }: RunnerLine, tarball: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const { dependencies, devDependencies, peerDependencies } = manifest;
  const versions = { ...dependencies, ...devDependencies };
  const spec = [...packages, "@types/node@22", ...USED.map((used) => `${used}@${versions[used]}`)];
  const key = createHash("sha256").update(JSON.stringify([spec, dependencies, peerDependencies]));
  const home = `${name.toLowerCase().replace(" ", "-")}-${key.digest("hex").slice(0, 8)}`;
  const manifestPath = await fetchTool({ spec: [...spec, tarball], home, program: "mcp-fakes/package.json" });
  await unpack(tarball, dirname(manifestPath));
  return resolve(dirname(manifestPath), "../..");
}

/** The `node` of a line: this one, or one from the registry. */
export async function nodeOf(line: NodeLine): Promise<string> {
  return process.versions.node.startsWith(`${line}.`) ? process.execPath : await fetchNode(line);
}

async function unpack(tarball: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true });
  await mkdir(folder);
  await run("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
}
