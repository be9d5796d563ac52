import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";
import { envelope, MCP_HEADERS, stateless } from "../../_support/mcp.ts";
import { startCli, startServe } from "../../_support/program.ts";
import { tempFile } from "../../_support/temp.ts";
import { takeChildProblems } from "../../_support/wire-children.ts";

// That what servers in other processes and threads send is held against the specification's schemas, as in this one.

const DISCOVER = { jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta: envelope() } };
const body = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { resultType: "complete" } });
const headers = { "content-type": "application/json" };
const faults = [{ method: "server/discover", fault: { headers, body } }];
const FAKES = { mcpFakes: { scope: "shared", tools: [], faults } };

const PROBLEM = "MCP 2026-07-28: server/discover DiscoverResult must have required property 'capabilities'";

test("a server that `serve` starts", async () => {
  const { url } = await startServe([tempFile("a.json", FAKES)]);
  expect((await stateless(`${url}/mcp`, "server/discover")).text).toBe(body);
  expect(takeChildProblems().join("\n")).toContain(PROBLEM);
});

test("a server that speaks on stdio", async () => {
  const { child, ended, output } = startCli(["serve", "--stdio", tempFile("a.json", FAKES)]);
  child.stdin?.end(`${JSON.stringify(DISCOVER)}\n`);
  await ended;
  expect(output.stdout).toBe(`${body}\n`);
  expect(takeChildProblems().join("\n")).toContain(PROBLEM);
});

test("the plugin's server, in its thread", { timeout: 120_000 }, async () => {
  const mirrored = { ...MCP_HEADERS, "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" };
  const request = JSON.stringify({ method: "POST", headers: mirrored, body: JSON.stringify(DISCOVER) });
  const { vitest } = createConsumer(null, {
    "fixtures/a.json": JSON.stringify(FAKES),
    "vitest.config.ts": `import { mcpFakes } from "mcp-fakes/vitest";
      export default { plugins: [mcpFakes({ fixtures: "fixtures" })] };`,
    "a.test.ts": `import { test } from "vitest";
      import { mcp } from "mcp-fakes/vitest";
      test("asks", async () => void (await (await fetch(mcp.url, ${request})).text()));`,
  });
  expect(await vitest()).toMatchObject({ exitCode: 0 });
  expect(takeChildProblems().join("\n")).toContain(PROBLEM);
});
