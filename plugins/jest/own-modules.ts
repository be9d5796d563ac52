import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Config } from "@jest/types";
import type { Settings } from "./settings.ts";

type OwnModule = Exclude<keyof Settings["own"], "preset">;

/** Runs a global hook of the configuration's own, if it has one. */
export async function runOwnHook(
  name: "globalSetup" | "globalTeardown",
  settings: Settings,
  [run, project]: [Config.GlobalConfig, Config.ProjectConfig],
): Promise<void> {
  const hook = await loadOwn(name, settings, project.rootDir);
  if (hook === null) return;
  if (typeof hook !== "function") throw new TypeError(`"${name}" of the Jest configuration must export a function.`);
  await hook(run, project);
}

/**
 * The module that a configuration, or the preset that it builds on, names where the plugin's own stands now.
 *
 * @throws {Error} when it is not found.
 */
export async function loadOwn(name: OwnModule, { own }: Settings, root: string): Promise<unknown> {
  const path = own[name] ?? (await inPreset(own.preset, name, root));
  return path === null ? null : load(find(name, path, root));
}

async function inPreset(preset: string | null, name: OwnModule, root: string): Promise<string | null> {
  if (preset === null) return null;
  const isPath = preset.startsWith(".") || preset.startsWith("<rootDir>") || isAbsolute(preset);
  const content = await load(find("preset", isPath ? preset : `${preset}/jest-preset`, root));
  const value: unknown = typeof content === "object" && content !== null ? Reflect.get(content, name) : null;
  return typeof value === "string" ? value : null;
}

/** Extensions that may be left out, a preset's above all. */
const EXTENSIONS = ["", ".json", ".js", ".cjs", ".mjs"];

function find(what: string, path: string, root: string): string {
  const { resolve } = createRequire(join(root, "package.json"));
  const full = path.replace(/^<rootDir>/, root);
  for (const extension of EXTENSIONS) {
    try {
      return resolve(full + extension);
    } catch {
      // Then with another extension.
    }
  }
  throw new Error(
    `mcp-fakes: "${what}" of the Jest configuration, ${JSON.stringify(path)}, is not found from ${root}.`,
  );
}

/** The default export of a module of any kind, as Jest loads it; in a hook, the project's transform sees it. */
export async function load(path: string): Promise<unknown> {
  try {
    return defaultOf(createRequire(import.meta.url)(path));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && /^ERR_REQUIRE_/.test(String(error.code)))) throw error;
    return defaultOf(await import(pathToFileURL(path).href));
  }
}

function defaultOf(exported: unknown): unknown {
  const isModule = typeof exported === "object" && exported !== null && "default" in exported;
  return isModule ? exported.default : exported;
}
