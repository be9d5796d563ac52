import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, mcp, test } from "./runner.ts";

const run = promisify(execFile);

/** What the agent prints; it knows only the variables given. */
async function agent(env: Record<string, string>): Promise<string> {
  const { stdout } = await run(process.execPath, ["other-process.mjs"], {
    cwd: import.meta.dirname,
    env: { ...process.env, ...env },
  });
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
  expect(MCP_FAKES_URL).toBe(mcp.url);
  expect(MCP_FAKES_TEST_ID).toBe(mcp.testId);
  const tagged = `${mcp.llm.url}/__test/${encodeURIComponent(mcp.testId)}`;
  expect(llm).toEqual({ OPENAI_BASE_URL: `${tagged}/v1`, ANTHROPIC_BASE_URL: tagged });
  const AGENT_HEADERS = JSON.stringify({ "X-Test-Id": encodeURIComponent(MCP_FAKES_TEST_ID) });
  return expectsItsOwnAnswer({ AGENT_URL: MCP_FAKES_URL, AGENT_HEADERS });
});
