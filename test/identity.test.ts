import { expect, test } from "vitest";
import type { McpFakeBlock } from "../src/index.ts";
import { send } from "./_support/http.ts";
import { connect, MCP_HEADERS, textOf } from "./_support/mcp.ts";
import { startMock } from "./_support/server.ts";

/** A tool that answers with the name of the scope that answered. */
const whoami = (scope: McpFakeBlock["scope"], result: string): McpFakeBlock => ({
  scope,
  tools: [{ name: "whoami", calls: Array.from({ length: 5 }, () => ({ anyArgs: true as const, result })) }],
});

async function startWhoami() {
  const server = await startMock();
  server.mcp.loadFakes([
    whoami("shared", "shared"),
    whoami({ testId: "a › b" }, "test"),
    whoami({ context: "ctx" }, "context"),
    whoami({ testId: "a › b", context: "ctx" }, "both"),
    whoami({ testId: " " }, "blank"),
    whoami({ testId: "1+1" }, "plus"),
    whoami({ testId: "1 1" }, "space"),
    whoami({ testId: "%zz" }, "undecodable"),
  ]);
  const ask = async (query: string, headers: Record<string, string> = {}) => {
    const client = await connect(server.mcpUrl + query);
    return textOf(await client.call("whoami", {}, headers));
  };
  return { ...server, ask };
}

const ID = encodeURIComponent("a › b");

test.each<[string, string, Record<string, string>, string]>([
  ["nothing", "", {}, "shared"],
  ["a test id header", "", { "X-Test-Id": ID }, "test"],
  ["a test id in the URL", `?testId=${ID}`, {}, "test"],
  ["a context header", "", { "X-AIMock-Context": "ctx" }, "context"],
  ["a context in the URL", "?context=ctx", {}, "context"],
  ["both, one in each way", `?testId=${ID}`, { "X-AIMock-Context": "ctx" }, "both"],
  ["a header against the URL", "?testId=someone-else", { "X-Test-Id": ID }, "test"],
  ["an empty header, so that the URL counts", `?testId=${ID}`, { "X-Test-Id": "" }, "test"],
  ["an unknown id", "", { "X-Test-Id": "nobody" }, "shared"],
  ["an id of another case", "", { "X-Test-Id": encodeURIComponent("A › B") }, "shared"],
  ["a blank in the URL", "?testId=%20", {}, "blank"],
  ["a plus in the header, which stays one", "", { "X-Test-Id": "1+1" }, "plus"],
  ["a plus in the URL, which is a space", "?testId=1+1", {}, "space"],
  ["an id that does not decode, used as sent", "", { "X-Test-Id": "%zz" }, "undecodable"],
  ["an encoded parameter name", `?test%49d=${ID}`, {}, "test"],
])("a call with %s is answered by its scope", async (_what, query, headers, answer) => {
  const { ask } = await startWhoami();
  expect(await ask(query, headers)).toBe(answer);
});

test.each([
  ["UTF-8", Buffer.from("a › b"), "a › b"],
  ["Latin-1", Buffer.from("caf\u00e9", "latin1"), "caf\u00e9"],
])("a test id that was sent as %s without being encoded is read as that", async (_encoding, id, testId) => {
  const { mcp, mcpUrl } = await startMock();
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }));
  await send(mcpUrl, { method: "POST", headers: { ...MCP_HEADERS, "X-Test-Id": id.toString("latin1") }, body });
  expect(mcp.getRequests().map((request) => request.testId)).toEqual([testId]);
});

test("what initialize carried holds for the session, field by field, until a request says otherwise", async () => {
  const { mcpUrl } = await startWhoami();
  const client = await connect(mcpUrl);
  const bound = await send(mcpUrl, {
    method: "POST",
    headers: { ...MCP_HEADERS, "X-Test-Id": ID },
    body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } }),
  });
  const session = { "mcp-session-id": String(bound.headers["mcp-session-id"]) };
  await client.post({ jsonrpc: "2.0", method: "notifications/initialized" }, session);
  const answers = [
    await client.call("whoami", {}, session),
    await client.call("whoami", {}, { ...session, "X-AIMock-Context": "ctx" }),
    await client.call("whoami", {}, { ...session, "X-Test-Id": "nobody" }),
    await client.call("whoami", {}, session),
  ];
  expect(answers.map(textOf)).toEqual(["test", "both", "shared", "test"]);
});

test.each([
  ["X-Test-Id header", "", ["X-Test-Id", "a", "x-test-id", "a"]],
  ["X-AIMock-Context header", "", ["X-AIMock-Context", "a", "X-AIMock-Context", ""]],
  ["X-AIMock-MCP-Undeclared header", "", ["X-AIMock-MCP-Undeclared", "deny", "X-AIMock-MCP-Undeclared", "deny"]],
  ["?testId= query parameter", "?testId=a&testId", ["X-Test-Id", "a"]],
  ["?context= query parameter", "?context=&context=a", []],
  ["?undeclared= query parameter", "?undeclared=deny&x=1&undeclared=allow", []],
])("a %s sent twice is refused, before anything else is looked at", async (label, query, rawHeaders) => {
  const { mcpUrl } = await startMock();
  const reply = await send(mcpUrl + query, { method: "POST", headers: MCP_HEADERS, rawHeaders, body: "{not json" });
  expect([reply.status, reply.json()]).toEqual([
    400,
    { error: `Duplicate ${label}: 2 values sent, expected one`, code: "MCP_DUPLICATE_IDENTITY" },
  ]);
});

test.each([
  ["X-AIMock-MCP-Undeclared header", 'value "zzz"', "", { "X-AIMock-MCP-Undeclared": "zzz" }],
  ["?undeclared= query parameter", 'value "d%65n"', "?undeclared=d%65n", { "X-AIMock-MCP-Undeclared": "deny" }],
  ["?undeclared= query parameter", 'value "%zz" (not valid percent-encoding)', "?undeclared=%zz", {}],
])("a bad override in the %s is refused: %s", async (label, value, query, headers) => {
  const { mcpUrl } = await startMock();
  const reply = await send(mcpUrl + query, { method: "POST", headers: { ...MCP_HEADERS, ...headers }, body: "{}" });
  expect([reply.status, reply.json()]).toEqual([
    400,
    { error: `Invalid ${label} ${value}: expected allow or deny`, code: "MCP_INVALID_UNDECLARED" },
  ]);
});

test("an override opens a closed world and closes an open one, also where nothing is faked", async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.onToolCall("free", () => "free");
  const client = await connect(mcpUrl);
  const denied = await client.call("free", {}, { "X-AIMock-MCP-Undeclared": " Deny " });
  expect(denied.error?.data?.aimock).toMatchObject({ code: "MCP_FAKE_NOT_DECLARED", declaredTools: [] });
  mcp.loadFakes({ scope: { testId: "closed" }, undeclaredTools: "deny", tools: [] });
  const closed = { "X-Test-Id": "closed" };
  expect((await client.call("free", {}, closed)).error?.code).toBe(-32602);
  expect((await client.call("free", {}, { ...closed, "X-AIMock-MCP-Undeclared": "allow" })).result).toBeDefined();
});

test("an id that does not decode is warned about once a session, and only when fakes are loaded", async () => {
  const { llm, mcp, mcpUrl } = await startMock();
  const warned: string[] = [];
  const collect = (line: string) => void warned.push(line);
  llm.setLogger({ error() {}, warn: collect, info() {}, debug() {} });
  const client = await connect(mcpUrl);
  await client.call("whoami", {}, { "X-Test-Id": "%zz" });
  expect(warned).toEqual([]);
  mcp.loadFakes(whoami("shared", "shared"));
  await client.call("whoami", {}, { "X-Test-Id": "%zz" });
  await client.call("whoami", {}, { "X-Test-Id": "%zy" });
  expect(warned).toEqual([
    "the X-Test-Id header is not valid percent-encoding and is used as sent; encode it with encodeURIComponent",
  ]);
});
