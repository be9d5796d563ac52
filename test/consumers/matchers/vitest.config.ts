import { mcpFakes } from "mcp-fakes/vitest";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [mcpFakes({ fixtures: "./fixtures", setup: "./mocks.ts", verify: "off", logLevel: "silent" })],
  test: { testTimeout: 30_000, hookTimeout: 30_000 },
});
