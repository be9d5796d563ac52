import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    mcp: "src/mcp.ts",
  },
  format: ["esm", "cjs"],
  platform: "node",
  target: "node20.19",
  dts: true,
  shims: true,
  clean: true,
});
