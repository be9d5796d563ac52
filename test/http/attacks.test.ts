import { once } from "node:events";
import { connect as openSocket, type Socket } from "node:net";
import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import type { McpToolHandler } from "../../src/mcp/registry.ts";
import { openEvents } from "../_support/events.ts";
import { post, send } from "../_support/http.ts";
import { connect, textOf } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";
import { tempFile } from "../_support/temp.ts";

/** A loaded machine takes its time; what is awaited comes, or the test fails. */
const PATIENT = { timeout: 20_000 };

/** How often a limit was met. */
async function hits(url: string, name: string): Promise<number | undefined> {
  const limits = (await send(`${url}/__aimock/limits`)).json() as { name: string; hits: number }[];
  return limits.find((limit) => limit.name === name)?.hits;
}

/** A connection on which anything may be said. */
function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  return openSocket(Number(port), hostname).on("error", () => {});
}

/** Everything that comes until the server closes the connection. */
async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  await once(socket, "close");
  return Buffer.concat(chunks).toString();
}

test("a request line over 8 KiB is answered 414, and counted", async () => {
  const { url } = await startMock();
  const reply = await send(`${url}/mcp?testId=${"a".repeat(8192)}`, { headers: { "X-Request-Id": "mine" } });
  expect([reply.status, reply.json()]).toEqual([414, { error: "Request line too long: the limit is 8192 chars" }]);
  expect(reply.headers["x-request-id"]).toBe("mine");
  expect(await hits(url, "requestLine")).toBe(1);
});

test("headers over 32 KiB are answered 431, and counted", async () => {
  const { url } = await startMock();
  const reply = await send(`${url}/mcp`, { headers: { "X-Test-Id": "a".repeat(32 * 1024) } });
  expect([reply.status, reply.json()]).toEqual([431, { error: "Request headers too large: the limit is 32768 bytes" }]);
  expect(reply.headers["x-request-id"]).toMatch(/^req-\d+$/);
  expect(await hits(url, "headers")).toBe(1);
});

test("what is not HTTP is answered 400, and the connection closed", async () => {
  const { url } = await startMock();
  const socket = open(url);
  socket.write("\x16\x03\x01 hello\r\n\r\n");
  expect(await readAll(socket)).toMatch(
    /^HTTP\/1\.1 400 Bad Request\r\n.*\r\n\r\n\{"error":"Not an HTTP request: Parse Error: [^"]+"\}$/s,
  );
});

test("a body and a depth past their limits are counted", async () => {
  const { llm, url, mcpUrl } = await startMock({ limits: { body: 1000 } });
  expect(await post(mcpUrl, "a".repeat(1000))).toEqual({ error: "Request body too large: the limit is 1000 bytes" });
  const deep = JSON.parse(`${"[".repeat(65)}${"]".repeat(65)}`);
  await post(mcpUrl, deep);
  await post(`${url}/__aimock/tests`, deep);
  await post(`${url}/v1/chat/completions`, deep);
  await llm.serveStdio({ input: Readable.from([`${JSON.stringify(deep)}\n`]), output: new PassThrough() });
  expect([await hits(url, "body"), await hits(url, "depth")]).toEqual([1, 4]);
});

test.each([
  ["its head", "POST /mcp HTTP/1.1\r\nHost: local"],
  ["its body", 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"jsonrpc"'],
])("a client that never sends the rest of %s is answered 408 and dropped", async (_part, start) => {
  const { url } = await startMock({ limits: { requestTime: 50 } });
  const socket = open(url);
  socket.write(start);
  expect(await readAll(socket)).toContain('{"error":"Request took too long to arrive: the limit is 50 ms"}');
  expect(await hits(url, "requestTime")).toBe(1);
});

test.each<[what: string, flood: McpToolHandler]>([
  ["its answer", () => "a".repeat(16 * 1024 * 1024)],
  [
    "the end of a stream",
    (_args, { log }) => {
      for (let lines = 0; lines < 100; lines++) log("error", "a".repeat(100_000));
      return "done";
    },
  ],
])("a client that does not read %s is cut off", { timeout: 30_000 }, async (_what, flood) => {
  const { mcp, url, mcpUrl } = await startMock({ limits: { requestTime: 100 } });
  mcp.onToolCall("flood", flood);
  const { sessionId } = await connect(mcpUrl);
  const socket = open(url).pause();
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "flood" } });
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: ${sessionId}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await expect.poll(() => hits(url, "slowReader"), PATIENT).toBe(1);
  socket.destroy();
});

test("a client that does not read its event stream is cut off", async () => {
  const { url, mcpUrl } = await startMock({ limits: { slowReader: 1024 * 1024 } });
  const client = await connect(mcpUrl);
  const socket = open(url).pause();
  socket.write("GET /__aimock/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  for (let calls = 0; (await hits(url, "slowReader")) === 0; calls++) {
    if (calls > 400) throw new Error("400 records of 60 KB each were kept for a client that reads nothing");
    await client.call("nothing", { text: "a".repeat(60_000) });
  }
  expect(await hits(url, "slowReader")).toBe(1);
  socket.destroy();
});

test("one event stream too many is answered 503", async () => {
  const { url } = await startMock({ limits: { streams: 2 } });
  await openEvents(`${url}/__aimock/events`);
  await openEvents(`${url}/__aimock/events`);
  const reply = await send(`${url}/__aimock/events`);
  expect([reply.status, reply.json()]).toEqual([503, { error: "Too many open event streams: the limit is 2" }]);
  expect(await hits(url, "streams")).toBe(1);
});

test("a connection too many is closed", { timeout: 30_000 }, async () => {
  const { url } = await startMock({ limits: { connections: 2 } });
  const [one, two, three] = [open(url), open(url), open(url)];
  if (three !== undefined) await once(three, "close");
  one?.destroy();
  two?.destroy();
  await expect.poll(() => hits(url, "connections").catch(() => 0), PATIENT).toBeGreaterThan(0);
});

test("of too many sessions, the one that was idle longest ends, and its client is told to start anew", async () => {
  const { mcp, url, mcpUrl } = await startMock({ limits: { sessions: 2 } });
  const [one, two] = [await connect(mcpUrl), await connect(mcpUrl)];
  await one.request("ping");
  const three = await connect(mcpUrl);
  expect((await two.post({ jsonrpc: "2.0", id: 1, method: "ping" })).status).toBe(404);
  expect(await one.request("ping")).toMatchObject({ result: {} });
  expect(await three.request("ping")).toMatchObject({ result: {} });
  expect([mcp.health().sessions, await hits(url, "sessions")]).toEqual([2, 1]);
});

test("of too many announced tests, ended ones are forgotten, and running ones kept", async () => {
  const { url } = await startMock({ limits: { announcedTests: 2 } });
  const start = (testId: string) => post(`${url}/__aimock/tests`, { testId, file: "f", names: [testId], attempt: 1 });
  await start("a");
  await start("b");
  expect(await start("c")).toEqual({ error: "Too many running tests: the limit is 2; end some first" });
  await post(`${url}/__aimock/tests/end`, { testId: "a" });
  expect(await start("c")).toEqual({ started: true, testId: "c" });
  const { tests } = (await send(`${url}/__aimock/tests`)).json() as { tests: { testId: string }[] };
  expect(tests.map(({ testId }) => testId)).toEqual(["b", "c"]);
  expect(await hits(url, "announcedTests")).toBe(1);
});

test("test ids past the cap are evicted, and counted", async () => {
  const { llm, mcp, url, mcpUrl } = await startMock({ fixtureCountsMax: 1 });
  mcp.loadFakes({ scope: "shared", tools: [{ name: "t", calls: [{ anyArgs: true, result: "1" }] }] });
  const client = await connect(mcpUrl);
  await client.call("t", {}, { "X-Test-Id": "first" });
  await client.call("t", {}, { "X-Test-Id": "second" });
  expect(await client.call("t", {}, { "X-Test-Id": "first" })).toMatchObject({ error: { code: -31011 } });
  expect(await hits(url, "testIds")).toBe(1);
  llm.addFixture({ match: {}, response: { content: "hi" } });
  const ask = (testId: string) => {
    const chat = { model: "m", messages: [{ role: "user", content: "hi" }] };
    return post(`${url}/v1/chat/completions`, chat, { "X-Test-Id": testId });
  };
  await ask("first");
  await ask("second");
  expect(await ask("first")).toMatchObject({ error: { code: expect.stringMatching("evicted") } });
  expect(await hits(url, "testIds")).toBe(2);
});

test("the journal drops its oldest records past their number or their size, and says so in the report", async () => {
  const { url, mcpUrl } = await startMock({ journalMax: 5, limits: { journalBytes: 40_000 } });
  const client = await connect(mcpUrl, { headers: { "X-Test-Id": "t" } });
  for (let call = 0; call < 6; call++) await client.request("ping");
  expect((await send(`${url}/__aimock/journal`)).headers["x-total-count"]).toBe("5");
  await client.call("nothing", { text: "a".repeat(50_000) });
  expect((await send(`${url}/__aimock/journal`)).headers["x-total-count"]).toBe("1");
  expect((await send(`${url}/__aimock/mcp/fakes/report?testId=t`)).json()).toMatchObject({ ok: false, evicted: true });
  expect([await hits(url, "journalRecords"), await hits(url, "journalBytes")]).toEqual([4, 4]);
});

test("a body over 64 KB is marked in the journal, wherever it would be shown", async () => {
  const { url, mcpUrl } = await startMock();
  const client = await connect(mcpUrl);
  await client.call("nothing", { text: "é".repeat(40_000) });
  const journal = (await send(`${url}/__aimock/journal?limit=1&offset=2`)).json();
  const mark = {
    __aimock_truncated: true,
    originalByteSize: 80_098,
    note: "body truncated by aimock journal cap (64 KB limit)",
  };
  expect(journal).toMatchObject([{ body: mark, mcp: { params: mark, call: { args: mark } } }]);
});

test("nothing of a fixture is evaluated, and its templates reach nothing but the call's own arguments", async () => {
  const { llm, mcpUrl } = await startMock();
  const text = `\${globalThis.evaluated = true} {{globalThis.evaluated = true}} <%= process.exit() %>`;
  const tools = [
    { name: "says", default: { text } },
    ...["constructor.constructor", "__proto__", "length"].map((path) => ({
      name: path,
      default: { text: `{{args.${path}}}` },
    })),
  ];
  llm.loadFixtureFile(tempFile("evil.json", { tools }));
  const client = await connect(mcpUrl);
  expect(textOf(await client.call("says", {}))).toBe(text);
  for (const { name } of tools.slice(1)) {
    expect((await client.call(name, {})).error?.message).toContain(`but the call has no argument at "${name}"`);
  }
  expect(globalThis).not.toHaveProperty("evaluated");
});

test.each(["authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-goog-api-key"])(
  "the journal shows that %s was sent, never what it held",
  async (name) => {
    const { url, mcpUrl } = await startMock();
    const client = await connect(mcpUrl);
    await client.request("ping", {}, { [name]: "the-secret" });
    const { text } = await send(`${url}/__aimock/journal`);
    expect(text).toContain(`"${name}":"[REDACTED]"`);
    expect(text).not.toContain("the-secret");
  },
);

test.each(["key", "api_key", "token", "access_token"])("nor is the %s of a query string kept", async (name) => {
  const { url } = await startMock();
  const path = (secret: string) => `/v1beta/models/gemini-pro:generateContent?alt=json&${name}=${secret}&testId=T`;
  await post(`${url}${path("the-secret")}`, { contents: [] });
  const entries = (await send(`${url}/__aimock/journal?testId=T`)).json() as { path: string }[];
  expect(entries.map((entry) => entry.path)).toEqual([path("[REDACTED]")]);
});

test.each([
  ["a header that cannot be sent", { status: 200, headers: { "x-bad": "a\nb" }, body: "" }],
  ["a status that is none", { status: 7, headers: {}, body: "" }],
  ["a body that is no text", { status: 200, headers: {}, body: 5 as unknown as string }],
  ["nothing that is known", "hello" as never],
])("a mount that answers %s gets a 500, and the server goes on", async (_what, reply) => {
  const { llm, url } = await startMock();
  llm.mount("/custom", { handle: () => reply });
  llm.mount("/late", { handle: async () => reply });
  for (const path of ["/custom", "/late"]) {
    expect((await send(url + path)).json()).toEqual({ error: "Internal server error" });
  }
  expect((await send(`${url}/__aimock/health`)).status).toBe(200);
});
