import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, mcp, test } from "./runner.ts";

const run = promisify(execFile);

/** What the agent prints; it knows only the variables given. */
async function agent(env: Record<string, string>): Promise<string> {
  const { stdout } = await run(process.execPath, ["other-process.mjs"], { env: { ...process.env, ...env } });
  return stdout.trim();
}

async function expectsItsOwnAnswer(env: Record<string, string>): Promise<void> {
  const { testId } = mcp;
  await mcp.fake("search", { args: { query: "cats" }, result: `cats for ${testId}` });
  expect(await agent(env)).toBe(`cats for ${testId}`);
  expect(mcp).toHaveConsumedAllFakes();
}

test.concurrent("an agent that gets mcp.taggedUrl", () => expectsItsOwnAnswer({ AGENT_URL: mcp.taggedUrl }));

test.concurrent("an agent that gets mcp.headers", () =>
  expectsItsOwnAnswer({ AGENT_URL: mcp.url, AGENT_HEADERS: JSON.stringify(mcp.headers) }));

test.concurrent("an agent that gets mcp.env", () => {
  const { MCP_FAKES_URL, MCP_FAKES_TEST_ID, ...llm } = mcp.env;
  expect(MCP_FAKES_URL).toBe(mcp.taggedUrl);
  const tagged = `${mcp.llm.url}/__test/${encodeURIComponent(mcp.testId)}`;
  expect(llm).toEqual({ OPENAI_BASE_URL: `${tagged}/v1`, ANTHROPIC_BASE_URL: tagged });
  expect(new Headers({ "X-Test-Id": MCP_FAKES_TEST_ID }).get("X-Test-Id")).toBe(encodeURIComponent(mcp.testId));
  return expectsItsOwnAnswer({ AGENT_URL: MCP_FAKES_URL });
});

for (const mount of ["/mcp", "/crm"]) {
  test.concurrent(`an agent that starts mcp.stdio() for ${mount}`, async () => {
    const { testId } = mcp;
    await mcp.loadFakes({ mount, tools: [{ name: "search", calls: [{ args: {}, result: `${mount} of ${testId}` }] }] });
    const client = new Client({ name: "stdio-agent", version: "1.0.0" });
    await client.connect(new StdioClientTransport(mcp.stdio(mount)));
    const { content } = await client.callTool({ name: "search", arguments: {} });
    await client.close();
    expect(content).toEqual([{ type: "text", text: `${mount} of ${testId}` }]);
    expect(mcp).toHaveConsumedAllFakes();
  });
}
