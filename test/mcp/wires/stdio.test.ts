import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as TransportV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test, vi } from "vitest";
import { LLMock, MCPMock } from "../../../src/index.ts";
import { LAST_ANSWERS_MS } from "../../../src/mcp/wires/open-calls.ts";
import { envelope } from "../../_support/mcp.ts";
import { watchLines } from "../../_support/wire-check.ts";
import { WIRE_ENV } from "../../_support/wire-children.ts";

const ROOT = join(import.meta.dirname, "../../..");
const SERVER = {
  command: process.execPath,
  args: ["--import", "jiti/register", join(ROOT, "test/_support/programs/stdio-server.ts")],
  cwd: ROOT,
  env: { PATH: process.env.PATH ?? "", ...WIRE_ENV },
};
/** Longer than what needs no time takes. */
const SLOW_MS = 200;
const IMPLEMENTATION = { name: "stdio-client", version: "1.0.0" };

const OFFICIAL: Record<string, () => Promise<ClientV1 | ClientV2>> = {
  "@modelcontextprotocol/sdk": async () => {
    const client = new ClientV1(IMPLEMENTATION);
    await client.connect(new TransportV1(SERVER) as Parameters<ClientV1["connect"]>[0]); // see clients.ts
    return client;
  },
  ...Object.fromEntries(
    (["legacy", "auto", { pin: "2026-07-28" }] as const).map((mode) => [
      `@modelcontextprotocol/client, ${JSON.stringify(mode)}`,
      async () => {
        const client = new ClientV2(IMPLEMENTATION, { versionNegotiation: { mode } });
        await client.connect(new TransportV2(SERVER));
        return client;
      },
    ]),
  ),
};

test.each(Object.entries(OFFICIAL))("%s lists, calls and closes", { timeout: 30_000 }, async (_name, connect) => {
  const client = await connect();
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["echo", "wait"]);
  const called = await client.callTool({ name: "echo", arguments: { a: "›" } });
  expect(called.content).toEqual([{ type: "text", text: '{"a":"›"}' }]);
  await client.close();
});

/** A client that writes its lines by hand. */
function lines(mcp: MCPMock | LLMock, options: { testId?: string } = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const watch = watchLines();
  const served = mcp.serveStdio({ input, output, ...options });
  return {
    /** All that the server writes for these lines. */
    async say(...given: string[]): Promise<unknown[]> {
      for (const line of given) watch.fromClient(line);
      input.end(given.map((line) => `${line}\n`).join(""));
      const text = textOf(output);
      await served;
      output.end();
      const said = (await text).split("\n").filter((line) => line !== "");
      for (const line of said) watch.fromServer(line);
      return said.map((line) => JSON.parse(line));
    },
  };
}

function request(id: number, method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

function initialize(protocolVersion = "2025-11-25"): string {
  return request(0, "initialize", { protocolVersion, capabilities: {}, clientInfo: IMPLEMENTATION });
}

const INITIALIZED = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += chunk;
  return text;
}

test("what was asked before the input ended is answered first", async () => {
  const mcp = new MCPMock();
  mcp.onToolCall("slow", () => setTimeout(SLOW_MS, "late"));
  const said = await lines(mcp).say(request(1, "tools/call", { name: "slow", _meta: envelope() }));
  expect(said).toMatchObject([{ id: 1, result: { content: [{ text: "late" }] } }]);
});

test.each([
  ["with a session", [initialize(), INITIALIZED], {}],
  ["without sessions", [], { _meta: envelope() }],
])("calls without an answer are given up and named, %s", async (_era, before, meta) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const stderr = listenToStderr();
  const mcp = new MCPMock();
  mcp.onToolCall("wait", () => new Promise(() => {}));
  mcp.onToolCall("soon", async () => "soon");
  const said = lines(new LLMock({ logLevel: "error" }).mount("/mcp", mcp)).say(
    ...before,
    request(1, "tools/call", { name: "wait", ...meta }),
    request(2, "tools/call", { name: "soon", ...meta }),
  );
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(LAST_ANSWERS_MS);
  expect((await said).at(-1)).toMatchObject({ id: 2 });
  expect(stderr).toEqual([
    '[mcp-fakes] the input has ended, and 10 seconds later there is still no answer to tools/call "wait" (id 1): keep the input open for longer to get it\n',
  ]);
});

test.each([
  ["an answer that a fault keeps back", ["hang"]],
  ["another call of a connection that a fault ends", ["wait", "reset"]],
])("nobody waits for %s", async (_what, names) => {
  // A wait for the last answers would be one for ever.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const mcp = new MCPMock();
  mcp.onToolCall("wait", () => new Promise(() => {}));
  const faulty = (["hang", "reset"] as const).map((fault) => ({
    name: fault,
    calls: [{ anyArgs: true as const, result: "", fault, delayMs: SLOW_MS }],
  }));
  mcp.loadFakes({ scope: "shared", tools: faulty });
  const said = lines(mcp).say(...names.map((name, id) => request(id, "tools/call", { name, _meta: envelope() })));
  expect(await said).toEqual([]);
});

/** What goes to stderr, in place of it. */
function listenToStderr(): string[] {
  const said: string[] = [];
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
  onTestFinished(() => spy.mockRestore());
  return said;
}

test("a line that is no JSON, and one that is no message, are answered with an error", async () => {
  const said = await lines(new MCPMock()).say("{", "[]", '"text"', "", request(5, "tools/list"));
  expect(said).toMatchObject([
    { id: null, error: { code: -32700 } },
    { id: null, error: { code: -32600, message: "Invalid Request: send one message, not a batch" } },
    { id: null, error: { code: -32600, message: "Invalid Request: a message must be a JSON object" } },
    { id: 5, error: { code: -32002, message: "Session not initialized: send initialize first" } },
  ]);
});

test("only ping goes before the handshake is done, and initialize comes once", async () => {
  const said = await lines(new MCPMock()).say(
    request(1, "ping"),
    initialize(),
    request(2, "tools/list"),
    request(3, "ping"),
    INITIALIZED,
    initialize(),
    request(4, "tools/list"),
  );
  expect(said).toMatchObject([
    { id: 1, result: {} },
    { id: 0, result: { protocolVersion: "2025-11-25" } },
    { id: 2, error: { code: -32002 } },
    { id: 3, result: {} },
    { id: 0, error: { code: -32600 } },
    { id: 4, result: { tools: [] } },
  ]);
});

test("a probe with server/discover may be followed by initialize, which binds the connection", async () => {
  const discover = request(1, "server/discover", { _meta: envelope() });
  const said = await lines(new MCPMock()).say(discover, initialize(), INITIALIZED, discover);
  expect(said).toMatchObject([
    { id: 1, result: { supportedVersions: ["2026-07-28"] } },
    { id: 0, result: { protocolVersion: "2025-11-25" } },
    { id: 1, error: { code: -32601 } },
  ]);
});

test("a batch is answered as one line in the revision that has batches, and refused in others", async () => {
  const batch = `[${request(1, "ping")},${INITIALIZED},${request(2, "tools/list")}]`;
  expect((await lines(new MCPMock()).say(initialize("2025-03-26"), INITIALIZED, batch))[1]).toMatchObject([
    { id: 1, result: {} },
    { id: 2, result: { tools: [] } },
  ]);
  expect((await lines(new MCPMock()).say(initialize(), INITIALIZED, batch))[1]).toMatchObject({
    error: { code: -32600 },
  });
});

test("a cancelled call is not answered, and a closed subscription hears no more", async () => {
  const mcp = new MCPMock();
  mcp.onToolCall("wait", () => new Promise(() => {}));
  mcp.onToolCall("tell", () => mcp.notify.toolsChanged());
  const cancel = (requestId: number) =>
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
  const said = await lines(mcp).say(
    request(1, "subscriptions/listen", { notifications: { toolsListChanged: true }, _meta: envelope() }),
    request(2, "tools/call", { name: "wait", _meta: envelope() }),
    request(3, "tools/call", { name: "tell", _meta: envelope() }),
    cancel(2),
    cancel(1),
    request(4, "tools/call", { name: "tell", _meta: envelope() }),
  );
  expect(
    said.map((message) => (message as { id?: number; method?: string }).id ?? (message as { method: string }).method),
  ).toEqual(["notifications/subscriptions/acknowledged", "notifications/tools/list_changed", 3, 4]);
});

test("a stdio client is one test's view of a server, and its calls are in the journal", async () => {
  const llm = new LLMock({ logLevel: "silent" });
  const mcp = new MCPMock();
  llm.mount("/mcp", mcp);
  const tools = [{ name: "greet", calls: [{ anyArgs: true as const, result: "hello" }] }];
  mcp.loadFakes({ scope: { testId: "t" }, tools });
  const said = await lines(llm, { testId: "t" }).say(request(1, "tools/call", { name: "greet", _meta: envelope() }));
  expect(said).toMatchObject([{ id: 1, result: { content: [{ type: "text", text: "hello" }] } }]);
  expect(llm.getRequests()).toMatchObject([
    { method: "STDIO", path: "/mcp", testId: "t", mcp: { method: "tools/call" } },
  ]);
  expect(llm.fakesReport("t").ok).toBe(true);
  await expect(llm.serveStdio({ mount: "/other" })).rejects.toThrow(
    'LLMock.serveStdio: no MCP mock is mounted at "/other"; mounted: /mcp',
  );
});

test("what a line asks for too early, or not as it must be asked, stands in its test's report as refused", async () => {
  const llm = new LLMock({ logLevel: "silent" }).mount("/mcp", new MCPMock());
  await lines(llm, { testId: "t" }).say(
    request(1, "tools/call", { name: "early" }),
    request(2, "prompts/get", {
      name: "greet",
      _meta: { ...envelope(), "io.modelcontextprotocol/protocolVersion": "1" },
    }),
    `[${request(3, "resources/read", { uri: "docs://a" })},${request(4, "tools/call", { name: "b" })}]`,
    initialize("2025-03-26"),
    `[${request(5, "tools/call", { name: "c" })}]`,
    request(6, "tools/list"),
    "{",
  );
  const line = { path: "/mcp", status: 200 };
  expect(llm.fakesReport("t").refused).toEqual([
    { ...line, tool: "early", reason: "Session not initialized: send initialize first" },
    { ...line, prompt: "greet", reason: expect.stringMatching(/^Unsupported protocol version/) },
    { ...line, resource: "docs://a", reason: "Invalid Request: send one message, not a batch" },
    { ...line, tool: "b", reason: "Invalid Request: send one message, not a batch" },
    { ...line, tool: "c", reason: "Session not initialized: send notifications/initialized first" },
  ]);
  const reasons = llm.getRequests().flatMap(({ response }) => response.refused ?? []);
  expect(reasons.map((reason) => reason.split(":")[0])).toEqual([
    ...["Session not initialized", 'Unsupported protocol version "1"; supported', "Invalid Request"],
    ...["Session not initialized", "Session not initialized", "Parse error"],
  ]);
});
