import { expect, onTestFinished, test } from "vitest";
import { MCPMock, type MCPMockOptions } from "../../../src/index.ts";
import { send } from "../../_support/http.ts";
import { envelope, MCP_HEADERS, type Message, type StatelessRequest, stateless } from "../../_support/mcp.ts";
import { startMock } from "../../_support/server.ts";

async function start(options: MCPMockOptions = {}, prepare: (mcp: MCPMock) => void = () => {}): Promise<string> {
  const mcp = new MCPMock(options);
  mcp.onToolCall("greet", () => "hello");
  prepare(mcp);
  onTestFinished(() => mcp.stop());
  return mcp.start();
}

const SERVER = { "io.modelcontextprotocol/serverInfo": { name: "mcp-mock", version: "1.0.0" } };

test("server/discover tells the versions, the capabilities and who the server is", async () => {
  const url = await start({ instructions: "Be kind", capabilities: { tools: {} }, ttlMs: 500 });
  const reply = await stateless(url, "server/discover", { id: "probe" });
  expect([reply.status, reply.json()]).toEqual([
    200,
    {
      jsonrpc: "2.0",
      id: "probe",
      result: {
        resultType: "complete",
        _meta: SERVER,
        ttlMs: 500,
        cacheScope: "private",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
        instructions: "Be kind",
      },
    },
  ]);
  expect(reply.headers["mcp-session-id"]).toBeUndefined();
});

test("each result says that it is complete, and lists how long they may be kept", async () => {
  const url = await start();
  const call = (await stateless(url, "tools/call", { params: { name: "greet" } })).json() as Message;
  expect(call.result).toEqual({
    resultType: "complete",
    _meta: SERVER,
    content: [{ type: "text", text: "hello" }],
    isError: false,
  });
  const list = (await stateless(url, "tools/list")).json() as Message;
  expect(list.result).toMatchObject({ resultType: "complete", ttlMs: 0, cacheScope: "private" });
});

test("a result keeps its own _meta beside the server's", async () => {
  const url = await start({}, (mcp) => mcp.onToolCall("meta", () => ({ content: [], _meta: { mine: 1 } })));
  const { result } = (await stateless(url, "tools/call", { params: { name: "meta" } })).json() as Message;
  expect(result).toEqual({ resultType: "complete", _meta: { ...SERVER, mine: 1 }, content: [] });
});

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

test.each<[string, string, StatelessRequest, number, number, string]>([
  [
    "no envelope",
    "tools/list",
    { params: { _meta: undefined } },
    400,
    -32602,
    `Invalid params: in params._meta, ${VERSION} must be a string and ${CAPABILITIES} must be an object`,
  ],
  [
    "no capabilities",
    "tools/list",
    { params: { _meta: { [VERSION]: "2026-07-28" } } },
    400,
    -32602,
    `Invalid params: in params._meta, ${CAPABILITIES} must be an object`,
  ],
  [
    "a header and a body that name different versions, neither served",
    "tools/list",
    { params: { _meta: envelope({ [VERSION]: "v999" }) } },
    400,
    -32020,
    'Header mismatch: the MCP-Protocol-Version header says "2026-07-28", params._meta "v999"',
  ],
  [
    "a version that is not served",
    "tools/list",
    { params: { _meta: envelope({ [VERSION]: "v999" }) }, headers: { "mcp-protocol-version": "v999" } },
    400,
    -32022,
    'Unsupported protocol version "v999"; supported: 2026-07-28',
  ],
  [
    "no version header",
    "tools/list",
    { headers: { "mcp-protocol-version": null } },
    400,
    -32020,
    "Header mismatch: the MCP-Protocol-Version header is missing",
  ],
  [
    "another method in its header",
    "tools/list",
    { headers: { "mcp-method": "TOOLS/LIST" } },
    400,
    -32020,
    'Header mismatch: the Mcp-Method header says "TOOLS/LIST", the body "tools/list"',
  ],
  [
    "no method header",
    "tools/list",
    { headers: { "mcp-method": null } },
    400,
    -32020,
    "Header mismatch: the Mcp-Method header is missing",
  ],
  [
    "no name header",
    "tools/call",
    { params: { name: "greet" }, headers: { "mcp-name": null } },
    400,
    -32020,
    "Header mismatch: the Mcp-Name header is missing",
  ],
  [
    "another name in its header",
    "tools/call",
    { params: { name: "greet" }, headers: { "mcp-name": "=?base64?bm8=?=" } },
    400,
    -32020,
    'Header mismatch: the Mcp-Name header says "no", params.name "greet"',
  ],
  ["a method that was removed", "ping", {}, 404, -32601, "Method not found"],
  ["initialize with an envelope", "initialize", {}, 404, -32601, "Method not found"],
  ["an unknown tool", "tools/call", { params: { name: "none" } }, 200, -32602, "Unknown tool: none"],
  ["an unknown resource", "resources/read", { params: { uri: "x:1" } }, 200, -32602, "Unknown resource: x:1"],
])("a request with %s is refused", async (_what, method, request, status, code, message) => {
  const url = await start();
  const reply = await stateless(url, method, { id: 7, ...request });
  expect([reply.status, reply.json()]).toMatchObject([status, { jsonrpc: "2.0", id: 7, error: { code, message } }]);
});

test("an unsupported version is told what is served", async () => {
  const url = await start();
  const meta = { _meta: envelope({ [VERSION]: "v999" }) };
  const reply = await stateless(url, "tools/list", { params: meta, headers: { "mcp-protocol-version": "v999" } });
  expect((reply.json() as Message).error?.data).toEqual({ supported: ["2026-07-28"], requested: "v999" });
});

test.each([
  ["the name as it is", "Zürich", "Zürich".normalize("NFD"), 400],
  ["the name in Base64", "Zürich", `=?base64?${Buffer.from("Zürich").toString("base64")}?=`, 200],
  ["spaces around it", "Bern", "  Bern ", 200],
  ["Base64 without padding", "Hello", "=?base64?SGVsbG8?=", 400],
  ["Base64 of other letters", "Hello", "=?base64?SGVs!!!bG8=?=", 400],
  ["half a sentinel, taken literally", "=?base64?SGVsbG8=", "=?base64?SGVsbG8=", 200],
])("a tool whose argument goes into a header takes %s", async (_what, city, header, status) => {
  const url = await start({}, (mcp) =>
    mcp.addTool({
      name: "weather",
      inputSchema: { type: "object", properties: { city: { type: "string", "x-mcp-header": "City" } } },
    }),
  );
  const params = { name: "weather", arguments: { city } };
  const headers = { "mcp-param-city": Buffer.from(header).toString("latin1") };
  expect((await stateless(url, "tools/call", { params, headers })).status).toBe(status);
});

test("a fake's tool asks for its headers too, and numbers are compared as numbers", async () => {
  const properties = { page: { type: "integer", "x-mcp-header": "Page" } };
  const url = await start({}, (mcp) =>
    mcp.loadFakes({
      scope: "shared",
      tools: [
        { name: "read", inputSchema: { type: "object", properties }, calls: [{ anyArgs: true, result: "page 42" }] },
      ],
    }),
  );
  const params = { name: "read", arguments: { page: 42 } };
  const missing = (await stateless(url, "tools/call", { params })).json() as Message;
  expect(missing.error?.message).toBe("Header mismatch: the Mcp-Param-Page header is missing, arguments.page is 42");
  const read = (await stateless(url, "tools/call", { params, headers: { "mcp-param-page": "42.0" } })).json();
  expect(read).toMatchObject({ result: { content: [{ type: "text", text: "page 42" }] } });
});

test("a question that needs an undeclared capability is refused, and says which", async () => {
  const url = await start({}, (mcp) =>
    mcp.onToolCall("ask", (_args, context) => context.sample({ messages: [], maxTokens: 1 })),
  );
  const reply = await stateless(url, "tools/call", { params: { name: "ask" } });
  expect([reply.status, (reply.json() as Message).error]).toEqual([
    400,
    {
      code: -32021,
      message: 'sampling/createMessage needs a capability that the client did not declare: {"sampling":{}}',
      data: { requiredCapabilities: { sampling: {} } },
    },
  ]);
});

test("a state that the server did not make, or made for another call, is refused", async () => {
  const url = await start({}, (mcp) => {
    const ask: Parameters<MCPMock["onToolCall"]>[1] = async (_args, context) => {
      await context.elicit({ message: "Sure?", requestedSchema: { type: "object", properties: {} } }, { key: "sure" });
      return "sure";
    };
    mcp.onToolCall("ask", ask).onToolCall("other", ask);
  });
  const _meta = envelope({ [CAPABILITIES]: { elicitation: {} } });
  const call = async (name: string, more: object) =>
    (await stateless(url, "tools/call", { params: { name, _meta, ...more } })).json() as Message;
  const { result } = await call("ask", {});
  const answered = { inputResponses: { sure: { action: "accept" } }, requestState: result?.requestState };

  expect((await call("ask", answered)).result?.content).toEqual([{ type: "text", text: "sure" }]);
  const refused = {
    code: -32602,
    message: "Invalid params: requestState is not one that this server made for this call",
  };
  expect((await call("ask", { ...answered, requestState: `${result?.requestState}x` })).error).toEqual(refused);
  expect((await call("other", answered)).error).toEqual(refused);
  expect((await call("ask", { inputResponses: null })).error).toEqual({
    code: -32602,
    message: "Invalid params: inputResponses must be an object",
  });
});

test("what a handler said before its question is not said again in the next round", async () => {
  const url = await start({}, (mcp) =>
    mcp.onToolCall("ask", async (_args, context) => {
      context.log("info", "before");
      await context.elicit({ message: "Sure?", requestedSchema: { type: "object", properties: {} } }, { key: "sure" });
      context.log("info", "after");
      return "sure";
    }),
  );
  const _meta = envelope({ [CAPABILITIES]: { elicitation: {} }, "io.modelcontextprotocol/logLevel": "info" });
  const call = async (more: object) =>
    messagesIn((await stateless(url, "tools/call", { params: { name: "ask", _meta, ...more } })).text);
  const [said, asked] = await call({});
  expect([said?.params?.data, asked?.result?.resultType]).toEqual(["before", "input_required"]);
  const requestState = asked?.result?.requestState;
  const second = await call({ inputResponses: { sure: { action: "accept" } }, requestState });
  expect(second.map(({ params, result }) => params?.data ?? result?.resultType)).toEqual(["after", "complete"]);
});

test("notifications are taken, GET and DELETE are not, when only this era is served", async () => {
  const url = await start({ protocolVersions: "2026-07-28" });
  const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  const notified = await send(url, {
    method: "POST",
    headers: { ...MCP_HEADERS, "mcp-protocol-version": "2026-07-28" },
    body,
  });
  expect([notified.status, notified.text]).toEqual([202, ""]);
  for (const method of ["GET", "DELETE"]) {
    const reply = await send(url, { method, headers: { accept: "text/event-stream" } });
    expect([reply.status, reply.headers.allow]).toEqual([405, "POST"]);
  }
});

/** What a test looks at in the messages of a stream. */
interface StreamMessage {
  readonly params?: { readonly data: unknown };
  readonly result?: { readonly resultType: string; readonly requestState?: string };
}

function messagesIn(stream: string): StreamMessage[] {
  return [...stream.matchAll(/^data: (.+)$/gm)].map(([, data = ""]) => JSON.parse(data));
}

test("a call whose client has gone is in the journal as undelivered, and takes up no stream", async () => {
  const { llm, mcp, mcpUrl } = await startMock({ limits: { streams: 1 } });
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "wait", _meta: envelope() } };
  const headers = {
    ...MCP_HEADERS,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "wait",
  };
  for (let calls = 1; calls <= 2; calls++) {
    const abort = new AbortController();
    mcp.onToolCall("wait", () => new Promise(() => abort.abort()));
    await fetch(mcpUrl, { method: "POST", headers, body: JSON.stringify(call), signal: abort.signal }).catch(String);
    const undelivered = () => llm.getRequests().filter(({ response }) => response.status === 0).length;
    await expect.poll(undelivered).toBe(calls);
  }
  const listen = stateless(mcpUrl, "subscriptions/listen", { params: { notifications: { toolsListChanged: true } } });
  await expect.poll(() => llm.getRequests().at(-1)).toMatchObject({ mcp: { method: "subscriptions/listen" } });
  await llm.stop();
  expect((await listen).status).toBe(200);
});
