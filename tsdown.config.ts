import { defineConfig, type UserConfig } from "tsdown";

const common: UserConfig = {
  platform: "node",
  target: "node20.19",
  shims: true,
  // Two builds share the folder: `npm run build` empties it first.
  clean: false,
};

/** What users import. */
const publicEntries = {
  index: "src/index.ts",
  mcp: "src/mcp.ts",
  vitest: "plugins/vitest/index.ts",
};

/** What the package itself starts: the command, the server's thread, the files that runners load. */
const innerEntries = {
  cli: "src/cli/main.ts",
  "server-thread": "plugins/shared/server-thread.ts",
  "vitest-global-setup": "plugins/vitest/global-setup.ts",
  "vitest-setup": "plugins/vitest/setup.ts",
  "vitest-worker": "plugins/vitest/worker.ts",
};

export default defineConfig([
  {
    ...common,
    entry: { ...publicEntries, ...innerEntries },
    format: "esm",
    dts: { entry: Object.values(publicEntries) },
  },
  { ...common, entry: publicEntries, format: "cjs", dts: true },
  // One file that loads nothing but what Node has: a shim starts at every command of an agent.
  { ...common, entry: { shim: "src/shims/main.ts" }, format: "cjs", dts: false, deps: { alwaysBundle: [/^zod/] } },
]);
