import { defineConfig, type UserConfig } from "tsdown";

const common: UserConfig = {
  platform: "node",
  target: "node20.19",
  shims: true,
  // Two builds share the folder: `npm run build` empties it first.
  clean: false,
};

export default defineConfig([
  {
    ...common,
    entry: {
      index: "src/index.ts",
      mcp: "src/mcp.ts",
    },
    format: ["esm", "cjs"],
    dts: true,
  },
  { ...common, entry: { cli: "src/cli/main.ts" }, format: "esm", dts: false },
]);
