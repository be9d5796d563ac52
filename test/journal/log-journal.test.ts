import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CallLog, LLMock, MCPMock } from "../../src/index.ts";
import { connect } from "../_support/mcp.ts";
import { startServer } from "../_support/server.ts";
import { tempFolder } from "../_support/temp.ts";

test("each call is a line before its answer leaves, with its test, entry and outcome", async () => {
  const log = join(tempFolder(), "logs/calls.jsonl");
  const { url } = await startServer({ log }, (llm) => llm.loadFixtureFile("fixtures/weather/seattle.json"));
  const client = await connect(`${url}/mcp?testId=${encodeURIComponent("weather › seattle")}`);

  await client.call("get_weather", { city: "Seattle" });
  expect(CallLog.load(log).lines.map(({ kind }) => kind)).toEqual(["session", "tool_call"]);
  await client.call("get_weather", { city: "Seattle" });
  expect(CallLog.load(log).calls).toMatchObject([
    {
      v: 1,
      seq: 2,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      server: "mcp-mock",
      testId: "weather › seattle",
      tool: "get_weather",
      args: { city: "Seattle" },
      outcome: "answered",
      entryId: "fixtures/weather/seattle.json:get_weather#0",
      result: { structuredContent: { tempF: 60, conditions: "rain" } },
      error: null,
      isError: false,
      expectation: null,
    },
    { seq: 3, outcome: "exhausted", entryId: null, error: { code: -31010 }, isError: true },
  ]);
});

test("reads, prompts and refusals of resources are lines too", async () => {
  const log = join(tempFolder(), "calls.jsonl");
  const mcp = new MCPMock({ serverInfo: { name: "docs", version: "1" } });
  mcp.addResource({ uri: "file:///a", name: "a" }, { text: "A" }).addPrompt({ name: "p" });
  const { url } = await startServer({ log }, (llm) => llm.mount("/docs", mcp));
  const client = await connect(`${url}/docs`);
  await client.request("resources/read", { uri: "file:///a" });
  await client.request("prompts/get", { name: "p" });
  await client.request("resources/read", { uri: "file:///b" });

  expect(CallLog.load(log).lines.slice(1)).toMatchObject([
    { kind: "resource_read", server: "docs", args: { uri: "file:///a" }, result: { contents: [{ text: "A" }] } },
    { kind: "prompt_get", args: { name: "p" }, isError: false },
    { kind: "resource_read", error: { code: -32002, message: "Unknown resource: file:///b" }, isError: true },
  ]);
});

test("a verdict is a line when it is asked for, and when the server stops without", async () => {
  const log = join(tempFolder(), "calls.jsonl");
  const { llm, url } = await startServer({ log }, (server) => server.loadFixtureFile("fixtures/mock/strict.mock.json"));
  const client = await connect(`${url}/mcp`, { headers: { "x-test-id": "a" } });
  await client.call("search_issues", { query: "good first issue" });
  await client.call("mockmcp_finalize");
  const other = await connect(`${url}/mcp`, { headers: { "x-test-id": "b" } });
  await other.call("search_issues", { query: "good first issue" });
  await llm.stop();

  const { lines } = CallLog.load(log);
  expect(lines.map(({ kind, testId, expectation }) => [kind, testId, expectation])).toEqual([
    ["session", "a", null],
    ["tool_call", "a", 0],
    ["finalize", "a", null],
    ["session", "b", null],
    ["tool_call", "b", 0],
    ["finalize", "b", null],
  ]);
  expect(() => CallLog.load(log).assertExpectationsMet()).toThrow("create_pull_request");
});

test("a log that cannot be opened keeps the server from starting", async () => {
  const llm = new LLMock({ log: tempFolder(), logLevel: "silent" });
  await expect(llm.start()).rejects.toThrow("EISDIR");
});

test("the environment names a log when no option does", async () => {
  const log = join(tempFolder(), "calls.jsonl");
  process.env.MOCKMCP_LOG = log;
  try {
    const { url } = await startServer();
    await connect(`${url}/mcp`).catch(() => {});
  } finally {
    delete process.env.MOCKMCP_LOG;
  }
  expect(readFileSync(log, "utf8")).toBe("");
});
