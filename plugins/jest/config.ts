import { type McpFakesOptions, type RunOptions, readOptions } from "../shared/options.ts";
import { ours } from "../shared/ours.ts";
import { show } from "../shared/show.ts";
import { hookPath } from "./hook-path.ts";
import { SETTINGS, type Settings } from "./settings.ts";

/** The part of a Jest configuration that the plugin reads or changes. */
export interface JestConfig {
  projects?: readonly (string | JestConfig)[] | undefined;
  preset?: string | null | undefined;
  globals?: object | undefined;
  globalSetup?: string | null | undefined;
  globalTeardown?: string | null | undefined;
  testRunner?: string | undefined;
  setupFiles?: readonly string[] | undefined;
  setupFilesAfterEnv?: readonly string[] | undefined;
}

/**
 * The plugin for Jest: answers a configuration with one mock server for the whole run, the running test's id on every
 * request to it, matchers, and tests that turn red when the agent did not do what their fakes say. The configuration's
 * own `globalSetup`, `globalTeardown`, `testRunner`, `testEnvironment` and set-up files keep working. In one with
 * `projects`, each of them gets the plugin. A function that makes the configuration is taken too.
 *
 * @throws {Error} naming every unknown option and every value of the wrong type; for projects that are paths, and for a
 *   configuration that is neither an object nor a function.
 *
 * @example
 * ```ts
 * // jest.config.ts
 * export default withMcpFakes({ fixtures: "./fixtures" }, { testEnvironment: "jsdom" });
 * ```
 */
export function withMcpFakes<C extends object>(
  options: McpFakesOptions,
  config: () => C | Promise<C>,
): () => Promise<C>;
export function withMcpFakes<C extends object>(options?: McpFakesOptions, config?: C): C;
export function withMcpFakes(
  given: McpFakesOptions = {},
  config: JestConfig | (() => JestConfig | Promise<JestConfig>) = {},
): JestConfig | (() => Promise<JestConfig>) {
  const options = readOptions(given, { elsewhere: ELSEWHERE, others: isConfig(config) ? [] : [refusalOf(config)] });
  return typeof config === "function" ? async () => withPlugin(await config(), options) : withPlugin(config, options);
}

const ELSEWHERE = ' Jest\'s own belong in the second argument: withMcpFakes({ … }, { testEnvironment: "node" }).';

/** TypeScript alone keeps other values out. */
function isConfig(given: unknown): boolean {
  return typeof given === "function" || (typeof given === "object" && given !== null && !Array.isArray(given));
}

function refusalOf(given: unknown): string {
  return `the second argument must be a Jest configuration, or a function that makes one, got ${show(given)}.`;
}

/** What `preset: "mcp-fakes"` stands for. */
export function presetConfig(): JestConfig {
  return withPlugin({}, readOptions({}));
}

function withPlugin(config: JestConfig, options: RunOptions): JestConfig {
  const { projects = [], globals, setupFiles = [], setupFilesAfterEnv = [] } = config;
  if (projects.length > 0)
    return { ...config, projects: inlineProjects(projects).map((one) => withPlugin(one, options)) };
  const { globalSetup = null, globalTeardown = null, testRunner = null, preset = null } = config;
  const settings: Settings = {
    id: nextId(),
    options,
    own: { globalSetup, globalTeardown, testRunner, preset },
  };
  return {
    ...config,
    globals: { ...globals, [SETTINGS]: settings },
    globalSetup: hookPath("global-setup", settings),
    globalTeardown: hookPath("global-teardown", settings),
    testRunner: ours("jest-test-runner.mjs"),
    setupFiles: [ours("jest-enter.cjs"), ...setupFiles],
    setupFilesAfterEnv: [ours("jest-setup.cjs"), ...setupFilesAfterEnv],
  };
}

/** Projects that have a configuration of their own elsewhere cannot be changed from here. */
function inlineProjects(projects: readonly (string | JestConfig)[]): JestConfig[] {
  return projects.map((project) => {
    if (typeof project === "object") return project;
    throw new Error(
      `mcp-fakes cannot start: "projects" names ${JSON.stringify(project)}, which has a configuration of its own. ` +
        "Use withMcpFakes() there, and leave this one as it is.",
    );
  });
}

const COUNT = Symbol.for("mcp-fakes/jest-projects");

/** Configuration files may load several copies of this module; they count together. */
function nextId(): number {
  const id: number = Reflect.get(globalThis, COUNT) ?? 0;
  Reflect.set(globalThis, COUNT, id + 1);
  return id;
}
