import { mcpFakes } from "mcp-fakes/vitest";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [mcpFakes({ fixtures: "./fixtures", logLevel: "silent" })],
  test: { testTimeout: 30_000, hookTimeout: 30_000 },
});
