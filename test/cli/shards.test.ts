import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../_support/cli.ts";
import { createConsumer } from "../_support/consumer.ts";

const CONFIG = `
  import { mcpFakes } from "mcp-fakes/vitest";
  import { defineConfig } from "vitest/config";
  export default defineConfig({ plugins: [mcpFakes({ fixtures: "./fixtures", logLevel: "silent" })] });
`;

/** A test file whose one test calls one tool. */
function suite(tool: string): string {
  return `
    import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
    import { test } from "vitest";
    import { mcp } from "mcp-fakes/vitest";

    test("calls ${tool}", async () => {
      const client = new Client({ name: "agent", version: "1.0.0" });
      await client.connect(new StreamableHTTPClientTransport(new URL(mcp.url)));
      await client.callTool({ name: "${tool}", arguments: {} });
      await client.close();
    });
  `;
}

function fixture(tool: string): string {
  const tools = [{ name: tool, calls: [{ anyArgs: true, result: tool }] }];
  return JSON.stringify({ mcpFakes: { scope: { testId: `calls ${tool}` }, tools } });
}

test("a suite in three shards needs no server in common; their logs together tell what none of them used", async () => {
  const tools = ["one", "two", "three"];
  const project = createConsumer(null, {
    "vitest.config.mjs": CONFIG,
    ...Object.fromEntries(tools.map((tool) => [`${tool}.test.mjs`, suite(tool)])),
    ...Object.fromEntries([...tools, "forgotten"].map((tool) => [`fixtures/${tool}.json`, fixture(tool)])),
  });
  const logs = [1, 2, 3].map((shard) => join(project.folder, `shard-${shard}.jsonl`));
  const runs = await Promise.all(
    logs.map((log, index) => project.vitest([`--shard=${index + 1}/3`], { MOCKMCP_LOG: log })),
  );
  for (const { exitCode, output } of runs) expect(exitCode, output).toBe(0);

  const fixtures = join(project.folder, "fixtures");
  const { exitCode, stdout } = await runCommand("coverage", ...logs, "--fixtures", fixtures, "--threshold", "0.8");
  expect([exitCode, stdout]).toEqual([
    1,
    "unused: forgotten.json:forgotten#0\n3 of 4 fakes were used (75 %, 80 % asked for)\n",
  ]);
}, 120_000);
