import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import type { McpFakeCall } from "../../src/fixtures/types.ts";
import { sharedTool } from "../_support/fakes.ts";
import { startMock } from "../_support/server.ts";

test("an answer comes no sooner than its delay", async () => {
  const { client } = await connected({ anyArgs: true, delayMs: 60, result: "late" });

  const startedAt = performance.now();
  expect(await client.callTool({ name: "t" })).toMatchObject({ content: [{ text: "late" }] });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(59);
});

test.each<[string, McpFakeCall]>([
  ["delayed", { anyArgs: true, delayMs: 60_000, result: "late", setState: "moved" }],
  ["never given", { anyArgs: true, timeout: true }],
])("an answer that is %s ends with the client's cancel, and the journal says so", async (_what, call) => {
  const { llm, mcp, client } = await connected(call);
  const controller = new AbortController();

  const called = client.callTool({ name: "t" }, { signal: controller.signal }).catch(String);
  // A cancel that overtakes its call says nothing to the server.
  await expect.poll(() => JSON.stringify(mcp.fakesSnapshot())).toContain('"consumed":true');
  controller.abort("enough");
  expect(await called).toContain("enough");
  await expect
    .poll(() => llm.getRequests().flatMap(({ mcp }) => mcp?.call ?? []))
    .toMatchObject([{ tool: "t", outcome: "answered", entryId: "code#1:t#0", result: null, error: null }]);
});

test("a call that is never answered does not hold up the server's end", async () => {
  const { llm, client } = await connected({ anyArgs: true, timeout: true });
  const called = client.callTool({ name: "t" }, { timeout: 20_000 });
  called.catch(() => {});
  await expect.poll(() => llm.getRequests().length).toBeGreaterThan(0);
  await llm.stop();
  await expect(called).rejects.toThrow();
});

async function connected(call: McpFakeCall) {
  const { llm, mcp, mcpUrl } = await startMock();
  mcp.loadFakes(sharedTool("t", call));
  const client = new Client({ name: "test-client", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl)));
  onTestFinished(() => client.close());
  return { llm, mcp, client };
}
