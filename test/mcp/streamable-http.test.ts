import { expect, test } from "vitest";
import { send } from "../_support/http.ts";
import { connect, MCP_HEADERS } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw-client", version: "1.0.0" } },
};

const post = (url: string, message: unknown, headers: Record<string, string> = {}) =>
  send(url, {
    method: "POST",
    headers: { ...MCP_HEADERS, ...headers },
    body: typeof message === "string" ? message : JSON.stringify(message),
  });

const rpcErrorOf = (code: number, message: string, id: number | null = null) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])("initialize negotiates %s", async (version) => {
  const { mcpUrl } = await startMock();
  const reply = await post(mcpUrl, { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: version } });
  expect(reply.status).toBe(200);
  expect(reply.headers["mcp-session-id"]).toMatch(/^[\x21-\x7e]+$/);
  expect(reply.json()).toEqual({
    jsonrpc: "2.0",
    id: 0,
    result: {
      protocolVersion: version,
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        // Completions became a capability with 2025-03-26.
        ...(version === "2024-11-05" ? {} : { completions: {} }),
        logging: {},
      },
      serverInfo: { name: "mcp-mock", version: "1.0.0" },
    },
  });
});

test("a version that nobody knows is answered with the newest of sessions", async () => {
  const { mcpUrl } = await startMock();
  const reply = await post(mcpUrl, { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: "1999-01-01" } });
  expect(reply.json()).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
});

test("notifications are answered 202 with an empty body", async () => {
  const { mcpUrl } = await startMock();
  const client = await connect(mcpUrl);
  const reply = await client.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } });
  expect([reply.status, reply.text]).toEqual([202, ""]);
});

test("a request id may be 0, a string, or anything JSON-RPC allows", async () => {
  const { mcpUrl } = await startMock();
  const client = await connect(mcpUrl);
  for (const id of [0, "listen:0", "", 1.5]) {
    const reply = await client.post({ jsonrpc: "2.0", id, method: "ping" });
    expect(reply.json()).toEqual({ jsonrpc: "2.0", id, result: {} });
  }
});

test("an unknown method is a JSON-RPC error over HTTP 200", async () => {
  const { mcpUrl } = await startMock();
  const client = await connect(mcpUrl);
  const reply = await client.post({ jsonrpc: "2.0", id: 7, method: "tools/destroy" });
  expect([reply.status, reply.json()]).toEqual([200, rpcErrorOf(-32601, "Method not found", 7)]);
});

test("only ping is answered before notifications/initialized", async () => {
  const { mcpUrl } = await startMock();
  const session = String((await post(mcpUrl, INITIALIZE)).headers["mcp-session-id"]);
  const early = await post(mcpUrl, { jsonrpc: "2.0", id: 1, method: "tools/list" }, { "mcp-session-id": session });
  expect([early.status, early.json()]).toEqual([
    400,
    rpcErrorOf(-32002, "Session not initialized: send notifications/initialized first", 1),
  ]);
  const ping = await post(mcpUrl, { jsonrpc: "2.0", id: 2, method: "ping" }, { "mcp-session-id": session });
  expect(ping.json()).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
});

test.each<[string, number, unknown, Record<string, string>, unknown]>([
  [
    "without a session",
    400,
    { jsonrpc: "2.0", id: 1, method: "ping" },
    {},
    rpcErrorOf(
      -32000,
      "Bad Request: the Mcp-Session-Id header is missing; send initialize first and repeat the id that it answers",
    ),
  ],
  [
    "of an unknown session",
    404,
    { jsonrpc: "2.0", id: 1, method: "ping" },
    { "mcp-session-id": "gone" },
    rpcErrorOf(-32001, "Session not found"),
  ],
  [
    "that accepts only HTML",
    406,
    INITIALIZE,
    { accept: "text/html" },
    rpcErrorOf(-32000, 'Not Acceptable: Accept must list application/json and text/event-stream, got "text/html"'),
  ],
  [
    "of another content type",
    415,
    INITIALIZE,
    { "content-type": "text/plain" },
    rpcErrorOf(-32000, 'Unsupported Media Type: Content-Type must be application/json, got "text/plain"'),
  ],
  [
    "that holds initialize in a batch",
    400,
    [INITIALIZE],
    {},
    rpcErrorOf(-32600, "Invalid Request: initialize stands alone, and comes once"),
  ],
])("a POST %s is answered %i", async (_what, status, message, headers, body) => {
  const { mcpUrl } = await startMock();
  const reply = await post(mcpUrl, message, headers);
  expect([reply.status, reply.json()]).toEqual([status, body]);
});

test("a body that is not JSON is a parse error", async () => {
  const { mcpUrl } = await startMock();
  const reply = await post(mcpUrl, "{not json");
  expect(reply.status).toBe(400);
  expect(reply.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32700 } });
});

test("no Accept header, or */*, leaves the form of the answer to the server", async () => {
  const { mcpUrl } = await startMock();
  const body = JSON.stringify(INITIALIZE);
  const bare = await send(mcpUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
  const any = await post(mcpUrl, INITIALIZE, { accept: "*/*" });
  expect([bare.status, any.status]).toEqual([200, 200]);
});

test("the protocol version header must name a known version once it is sent", async () => {
  const { mcpUrl } = await startMock();
  const client = await connect(mcpUrl);
  const reply = await client.post({ jsonrpc: "2.0", id: 1, method: "ping" }, { "mcp-protocol-version": "1999-01-01" });
  expect([reply.status, reply.json()]).toEqual([
    400,
    rpcErrorOf(
      -32000,
      'Bad Request: unsupported MCP-Protocol-Version "1999-01-01"; supported: 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05',
    ),
  ]);
  const known = await client.request("ping", undefined, { "mcp-protocol-version": "2025-11-25" });
  expect(known.result).toEqual({});
});

test("2025-03-26 answers a batch element by element, and later revisions refuse it", async () => {
  const { mcpUrl } = await startMock();
  const batch = [
    { jsonrpc: "2.0", id: "a", method: "ping" },
    { jsonrpc: "2.0", method: "notifications/progress" },
    7,
    { jsonrpc: "2.0", id: "b", method: "nope" },
  ];
  const old = await connect(mcpUrl, { protocolVersion: "2025-03-26" });
  expect((await old.post(batch)).json()).toEqual([
    { jsonrpc: "2.0", id: "a", result: {} },
    rpcErrorOf(-32600, "Invalid Request: a message must be a JSON object"),
    { jsonrpc: "2.0", id: "b", error: { code: -32601, message: "Method not found" } },
  ]);
  const empty = await old.post([]);
  expect([empty.status, empty.json()]).toEqual([400, rpcErrorOf(-32600, "Invalid Request: the batch is empty")]);

  const later = await connect(mcpUrl, { protocolVersion: "2025-06-18" });
  const refused = await later.post(batch);
  expect([refused.status, refused.json()]).toEqual([
    400,
    rpcErrorOf(-32600, "Invalid Request: no batches are taken in MCP 2025-06-18; send one message"),
  ]);
});

test("DELETE ends a session and its stream; the session is then unknown", async () => {
  const { mcp, mcpUrl } = await startMock();
  const { sessionId } = await connect(mcpUrl);
  const session = { "mcp-session-id": sessionId };
  const stream = await fetch(mcpUrl, { headers: { ...session, accept: "text/event-stream" } });
  const ended = await send(mcpUrl, { method: "DELETE", headers: session });
  expect([ended.status, ended.json()]).toEqual([200, { ok: true }]);
  expect(await stream.text()).toBe(": open\n\nid: main-0\ndata: \n\n");
  expect(mcp.getSessions().size).toBe(0);
  expect((await send(mcpUrl, { method: "DELETE", headers: session })).status).toBe(404);
  expect((await send(mcpUrl, { method: "DELETE" })).status).toBe(400);
});

test("a session holds one stream; a second is a conflict until the first has ended", async () => {
  const { mcpUrl } = await startMock();
  const { sessionId } = await connect(mcpUrl);
  const headers = { accept: "text/event-stream", "mcp-session-id": sessionId };
  const controller = new AbortController();
  const first = await fetch(mcpUrl, { headers, signal: controller.signal });
  expect(first.headers.get("content-type")).toBe("text/event-stream");
  expect((await send(mcpUrl, { headers })).status).toBe(409);
  controller.abort();
  await expect.poll(async () => (await fetch(mcpUrl, { headers })).status).toBe(200);
});

test("a GET without a session is answered 405, and one that cannot read a stream 406", async () => {
  const { mcpUrl } = await startMock();
  const { sessionId } = await connect(mcpUrl);
  const early = await send(mcpUrl, { headers: { accept: "text/event-stream" } });
  expect([early.status, early.headers.allow]).toEqual([405, "GET, POST, DELETE"]);
  expect((await send(mcpUrl, { headers: { "mcp-session-id": sessionId } })).status).toBe(406);
});

test("verbs that MCP does not know are answered 405", async () => {
  const { mcpUrl } = await startMock();
  const reply = await send(mcpUrl, { method: "PUT", headers: MCP_HEADERS, body: "{}" });
  expect([reply.status, reply.headers.allow]).toEqual([405, "GET, POST, DELETE"]);
});

test("the mount answers with a trailing slash too, and leaves paths below it to others", async () => {
  const { url } = await startMock();
  expect((await post(`${url}/mcp/`, INITIALIZE)).status).toBe(200);
  const below = await post(`${url}/mcp/other`, INITIALIZE);
  expect([below.status, below.json()]).toEqual([
    404,
    { error: { message: "Not found: POST /mcp/other (mounted: /mcp)", type: "not_found" } },
  ]);
});

test("every reply carries the request's id, or one that the server made", async () => {
  const { mcpUrl } = await startMock();
  const own = await post(mcpUrl, INITIALIZE, { "x-request-id": "my-request" });
  const made = await post(mcpUrl, INITIALIZE);
  expect(own.headers["x-request-id"]).toBe("my-request");
  expect(made.headers["x-request-id"]).toMatch(/^req-\d+$/);
});
