import type { Plugin } from "vitest/config";
import { type McpFakesOptions, type RunOptions, readOptions } from "../shared/options.ts";
import { ours } from "../shared/ours.ts";
import { plainError } from "../shared/own-errors.ts";

const NAME = "mcp-fakes";

/**
 * The plugin for Vitest: one mock server for the whole run, the running test's id on every request to it, matchers, and
 * tests that turn red when the agent did not do what their fakes say.
 *
 * @throws {Error} naming every unknown option and every value of the wrong type.
 *
 * @example
 * ```ts
 * // vitest.config.ts
 * export default defineConfig({ plugins: [mcpFakes({ fixtures: "./fixtures" })] });
 * ```
 */
export function mcpFakes(options: McpFakesOptions = {}): Plugin {
  const api: RunOptions = readOptions(options);
  return {
    name: NAME,
    api,
    config(config) {
      const { globalSetup = [], setupFiles = [] } = config.test ?? {};
      config.test = {
        ...config.test,
        globalSetup: [ours("vitest-global-setup.mjs"), ...[globalSetup].flat()],
        // First, so that what it puts around each test is around the user's hooks too.
        setupFiles: [ours("vitest-setup.mjs"), ...[setupFiles].flat()],
      };
    },
    async configureVitest({ vitest }) {
      const { reportRunsOf } = await import("./run-reporter.ts"); // a worker has no use for it
      reportRunsOf(vitest);
    },
  };
}

/** The options of the plugin in a project's configuration. */
export function optionsOf(plugins: readonly { readonly name: string; readonly api?: unknown }[]): RunOptions {
  const found = plugins.filter(({ name }) => name === NAME);
  const [first] = found;
  if (found.length === 1) return first?.api as RunOptions; // put there above
  throw plainError(`mcp-fakes cannot start: mcpFakes() is in this project's plugins ${found.length} times. Leave one.`);
}
