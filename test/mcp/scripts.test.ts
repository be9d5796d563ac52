import { expect, test } from "vitest";
import type { LLMockOptions } from "../../src/options.ts";
import { type AnyClient, CLIENTS } from "../_support/clients.ts";
import { connect, textOf } from "../_support/mcp.ts";
import { startServer } from "../_support/server.ts";
import { tempFile } from "../_support/temp.ts";

const [{ open }] = CLIENTS as [(typeof CLIENTS)[number]];

test.each(CLIENTS)("the seed's fixture answers $name by pattern, with an error, else by default", async ({ open }) => {
  const client = await open(await serve("fixtures/mock/github.mock.json"));

  expect(await client.listTools()).toMatchObject([
    { name: "search_issues", inputSchema: { type: "object", properties: { query: { type: "string" } } } },
  ]);
  expect(await said(client, "search_issues", { query: "a Good First Issue" })).toBe("Found #101, #102");
  expect(await client.call("search_issues", { query: "CVE-2026-1" })).toMatchObject({ error: { code: -32003 } });
  expect(await said(client, "search_issues", { query: "else" })).toBe("No results.");
});

test.each(CLIENTS)("the seed's strict fixture takes $name to a verdict", async ({ open }) => {
  const client = await open(await serve("fixtures/mock/strict.mock.json"));

  expect((await client.listTools()).map(({ name }) => name)).toEqual(["search_issues", "create_pull_request"]);
  expect(await said(client, "create_pull_request", { base: "main" })).toBe(
    'Unexpected call: create_pull_request {"base":"main"}: fixtures/mock/strict.mock.json:expectations[1] is out of order ' +
      '(no testId or context). Expected next: search_issues when {"argsMatch":{"query":"(?i)good first issue"}}.',
  );
  expect(await said(client, "search_issues", { query: "good first issue" })).toBe("Found #101");
  expect(await said(client, "create_pull_request", { base: "main", title: "x" })).toBe("Created PR #4242");
  expect(await client.call("mockmcp_finalize")).toMatchObject({
    result: { isError: true, structuredContent: { met: false, missed: [], outOfOrder: [{ expectation: 1 }] } },
  });
});

test("a verdict that is met says so", async () => {
  const client = await open(await serve("fixtures/mock/strict.mock.json"));
  await client.call("search_issues", { query: "good first issue" });
  await client.call("create_pull_request", { base: "main" });

  expect(await client.call("mockmcp_finalize")).toMatchObject({
    result: { isError: false, content: [{ text: "All expectations were met." }] },
  });
});

test("unexpected calls are protocol errors when the option or the file says so", async () => {
  const path = "fixtures/mock/strict.mock.json";
  const call = async (options: LLMockOptions) => await (await open(await serve(path, options))).call("delete_repo", {});

  expect(await call({})).toMatchObject({ result: { isError: true } });
  expect(await call({ unexpected: "error" })).toMatchObject({
    error: { code: -32602, data: { aimock: { code: "MCP_FAKE_UNEXPECTED", reason: "no expectation names the tool" } } },
  });
});

test("an unknown tool is a text for the model, or a protocol error when strict", async () => {
  const path = "fixtures/mock/github.mock.json";

  expect(await (await open(await serve(path))).call("delete_repo", {})).toMatchObject({
    result: { isError: true, content: [{ text: "Unknown tool: delete_repo" }] },
  });
  expect(await (await open(await serve(path, { strict: true }))).call("delete_repo", {})).toMatchObject({
    error: { code: -32602 },
  });
});

test("a call that no answer of its tool takes says which came closest", async () => {
  const tools = [{ name: "search", responses: [{ when: { args: { q: "cve" } }, text: "x" }] }];
  const raw = await connect(await serve(tempFile("a.json", { tools }), { strict: true }));

  const { error } = await raw.call("search", { q: "bug" });
  expect(error?.message).toBe(
    'Unknown tool: search (no answer of it takes these arguments: search {"q":"bug"}; no testId or context).',
  );
  expect(error?.data).toMatchObject({
    nearMiss: { reasons: [{ kind: "wrong-value", text: '$.q: expected "cve", received "bug"' }] },
  });
});

test("the finalize tool can be renamed", async () => {
  const client = await open(await serve("fixtures/mock/strict.mock.json", { finalizeTool: "done" }));

  expect(await client.call("done")).toMatchObject({ result: { structuredContent: { met: false } } });
  expect(await said(client, "mockmcp_finalize")).toMatch(/^Unexpected call: mockmcp_finalize/);
});

test("a test's own scenario and a shared script stand side by side", async () => {
  const { llm, url } = await startServer({}, (server) => server.loadFixtureFile("fixtures/mock/strict.mock.json"));
  llm.loadFixtureFile("fixtures/weather/seattle.json");
  const raw = await connect(`${url}/mcp`, { headers: { "x-test-id": encodeURIComponent("weather › seattle") } });

  expect(textOf(await raw.call("get_weather", { city: "Seattle" }))).toBe('{"tempF":60,"conditions":"rain"}');
  expect(textOf(await raw.call("search_issues", { query: "good first issue" }))).toBe("Found #101");
});

async function serve(path: string, options: LLMockOptions = {}): Promise<string> {
  const { url } = await startServer(options, (llm) => llm.loadFixtureFile(path));
  return `${url}/mcp`;
}

async function said(client: AnyClient, tool: string, args?: Record<string, unknown>): Promise<unknown> {
  const called = await client.call(tool, args);
  return "result" in called && "content" in called.result && Array.isArray(called.result.content)
    ? called.result.content[0]?.text
    : called;
}
