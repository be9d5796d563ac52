import { expect, test } from "vitest";
import { post, send } from "../_support/http.ts";
import { connect, MCP_HEADERS } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";

const scoped = (testId: string) => ({
  scope: { testId },
  tools: [{ name: "get_weather", calls: [{ args: { city: "Seattle" }, result: "rain" }] }],
});

test("a call is journaled with its request, its answer and how it ended", async () => {
  const { llm, mcp, mcpUrl } = await startMock();
  mcp.loadFakes(scoped("T"));
  const client = await connect(mcpUrl, { headers: { authorization: "Bearer secret" } });
  await client.call("get_weather", { city: "Seattle" }, { "X-Test-Id": "T", "X-Request-Id": "mine" });
  expect(llm.getRequests().at(-1)).toEqual({
    id: "mine",
    timestamp: expect.any(Number),
    method: "POST",
    path: "/mcp",
    headers: expect.objectContaining({ authorization: "[REDACTED]", "x-test-id": "T", "x-request-id": "mine" }),
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_weather", arguments: { city: "Seattle" } },
    },
    service: "mcp",
    testId: "T",
    context: null,
    response: { status: 200, fixture: null, mcpFake: { id: "code#1:get_weather#0", outcome: "answered" } },
    answer: { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "rain" }], isError: false } },
    attempt: null,
    durationMs: expect.any(Number),
    mcp: {
      method: "tools/call",
      params: { name: "get_weather", arguments: { city: "Seattle" } },
      mount: "/mcp",
      client: "raw-client",
      call: {
        tool: "get_weather",
        args: { city: "Seattle" },
        mount: "/mcp",
        outcome: "answered",
        entryId: "code#1:get_weather#0",
        result: { content: [{ type: "text", text: "rain" }], isError: false },
        error: null,
      },
    },
  });
});

test("a fake that fails shows its outcome, a handler's answer shows none", async () => {
  const { llm, mcp, mcpUrl } = await startMock();
  mcp.loadFakes(scoped("T"));
  mcp.onToolCall("free", () => "free");
  const client = await connect(mcpUrl, { headers: { "X-Test-Id": "T" } });
  await client.call("get_weather", { city: "Oslo" });
  await client.call("free");
  const [failed, free] = llm.getRequests().slice(-2);
  expect(failed?.response).toEqual({ status: 200, fixture: null, mcpFake: { id: null, outcome: "mismatch" } });
  expect(free?.response).toEqual({ status: 200, fixture: null });
  expect(free?.mcp?.call).toMatchObject({ outcome: "handler" });
});

test("every exchange with a mock is journaled, refused ones too", async () => {
  const { llm, mcpUrl } = await startMock();
  await send(mcpUrl);
  await send(`${mcpUrl}?testId=a&testId=b`, { method: "POST", body: "{}" });
  await connect(mcpUrl);
  const shown = llm
    .getRequests()
    .map((entry) => [entry.method, entry.response.status, entry.mcp?.method, entry.testId]);
  expect(shown).toEqual([
    ["GET", 405, undefined, "__default__"],
    ["POST", 400, undefined, undefined],
    ["POST", 200, "initialize", "__default__"],
    ["POST", 202, "notifications/initialized", "__default__"],
  ]);
});

test("a request whose identity is refused is found with the requests of the test that it names", async () => {
  const { llm, url, mcpUrl } = await startMock();
  const testId = "a.test.ts › works";
  await post(`${url}/__aimock/tests`, { testId, file: "a.test.ts", names: ["works"], attempt: 1 });
  const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_weather" } });
  const encoded = encodeURIComponent(testId);
  const headers = { ...MCP_HEADERS, "X-Test-Id": encoded, "X-AIMock-MCP-Undeclared": "dney" };
  await send(mcpUrl, { method: "POST", headers, body: call });
  await send(`${mcpUrl}?testId=${encoded}&testId=b`, { method: "POST", headers: MCP_HEADERS, body: call });

  const found = (await send(`${url}/__aimock/journal?testId=${encoded}`)).json();
  expect(found).toMatchObject([{ attempt: 1, response: { status: 400 } }, { response: { status: 400 } }]);
  expect((found as object[])[0]).not.toHaveProperty("testId");
  // Its client believes to have asked: the report of the test says what became of it.
  expect(llm.fakesReport(testId).refused).toMatchObject([{ tool: "get_weather", status: 400 }, { status: 400 }]);
});

test("a batch leaves one record for each element", async () => {
  const { llm, mcpUrl } = await startMock();
  const client = await connect(mcpUrl, { protocolVersion: "2025-03-26" });
  await client.post([
    { jsonrpc: "2.0", id: 1, method: "ping" },
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
  ]);
  expect(
    llm
      .getRequests()
      .slice(-2)
      .map((entry) => entry.mcp?.method),
  ).toEqual(["ping", "tools/list"]);
});

test("the journal is filtered, counted and paged, oldest first", async () => {
  const { url, mcpUrl } = await startMock();
  const client = await connect(mcpUrl);
  for (const testId of ["a", "b", "a"]) await client.request("ping", undefined, { "X-Test-Id": testId });
  const read = async (query: string) => {
    const reply = await send(`${url}/__aimock/journal?${query}`);
    return [reply.headers["x-total-count"], (reply.json() as unknown[]).length];
  };
  expect(await read("testId=a")).toEqual(["2", 2]);
  expect(await read("testId=a&limit=1")).toEqual(["2", 1]);
  expect(await read("testId=a&offset=1&limit=5")).toEqual(["2", 1]);
  expect(await read("testId=nobody")).toEqual(["0", 0]);
  expect(await read("testId=__default__")).toEqual(["2", 2]);
  expect(await read("status=202")).toEqual(["1", 1]);
  expect(await read("method=post&path=/mcp&service=mcp")).toEqual(["5", 5]);
  expect(await read("service=other")).toEqual(["0", 0]);
  expect(await read("requestId=req-1")).toEqual(["1", 1]);
});

test("the oldest records go when the journal is full, and a report says that it is incomplete", async () => {
  const { llm, mcp, mcpUrl } = await startMock({ journalMax: 3 });
  mcp.onToolCall("free", (args) => JSON.stringify(args));
  const client = await connect(mcpUrl);
  for (let n = 1; n <= 5; n++) await client.call("free", { n }, { "X-Test-Id": "T" });
  expect(llm.getRequests().map((entry) => entry.mcp?.call?.args)).toEqual([{ n: 3 }, { n: 4 }, { n: 5 }]);
  expect(llm.fakesReport("T")).toMatchObject({ ok: false, evicted: true });
  expect(llm.fakesReport("U")).toMatchObject({ ok: true, evicted: false });
});

test("a body over 64 KiB is journaled as its size", async () => {
  const { llm, mcpUrl } = await startMock();
  const client = await connect(mcpUrl);
  await client.call("x", { text: "a".repeat(70_000) });
  expect(llm.getRequests().at(-1)?.body).toEqual({
    __aimock_truncated: true,
    originalByteSize: expect.any(Number),
    note: "body truncated by aimock journal cap (64 KB limit)",
  });
});
