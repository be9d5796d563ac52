import { mcpFakes } from "mcp-fakes/vitest";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [mcpFakes({ fixtures: "./fixtures", untagged: "error", logLevel: "silent" })],
});
