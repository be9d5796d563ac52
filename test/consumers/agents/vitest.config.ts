import { mcpFakes } from "mcp-fakes/vitest";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [mcpFakes({ fixtures: "./fixtures", logLevel: "silent" })],
  test: { env: { OPENAI_API_KEY: "test" }, testTimeout: 30_000 },
});
