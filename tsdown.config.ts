import { defineConfig, type UserConfig } from "tsdown";

const common: UserConfig = {
  platform: "node",
  target: "node20.19",
  shims: true,
  // Jest itself provides this one to the files that it loads.
  // Its checks are all that we need of zod: without its texts in fifty languages, an import is some 30 ms shorter.
  deps: { neverBundle: ["@jest/globals"], alwaysBundle: [/^zod/] },
  // Two builds share the folder: `npm run build` empties it first.
  clean: false,
};

/** What users import. */
const publicEntries = {
  index: "src/index.ts",
  mcp: "src/mcp.ts",
  vitest: "plugins/vitest/index.ts",
  jest: "plugins/jest/index.ts",
  "jest-expect": "plugins/jest/expect.ts",
  "jest-environment": "plugins/jest/node-environment.ts",
};

/** What the package itself starts: the command, the server's thread, the files that runners load. */
const innerEntries = {
  cli: "src/cli/main.ts",
  "server-thread": "plugins/shared/server-thread.ts",
  "vitest-global-setup": "plugins/vitest/global-setup.ts",
  "vitest-setup": "plugins/vitest/setup.ts",
  "vitest-worker": "plugins/vitest/worker.ts",
  "jest-preset": "plugins/jest/preset.ts",
  "jest-global-setup": "plugins/jest/global-setup.ts",
  "jest-global-teardown": "plugins/jest/global-teardown.ts",
  "jest-test-runner": "plugins/jest/test-runner.ts",
};

/** What Jest loads into the context of each test file, in projects of either kind. */
const contextEntries = {
  "jest-enter": "plugins/jest/enter.ts",
  "jest-setup": "plugins/jest/setup.ts",
};

export default defineConfig([
  {
    ...common,
    entry: { ...publicEntries, ...innerEntries },
    format: "esm",
    dts: { entry: Object.values(publicEntries) },
  },
  {
    ...common,
    entry: { ...publicEntries, ...contextEntries },
    format: "cjs",
    dts: { entry: Object.values(publicEntries) },
  },
  // One file that loads nothing but what Node has: a shim starts at every command of an agent.
  { ...common, entry: { shim: "src/shims/main.ts" }, format: "cjs", dts: false },
]);
