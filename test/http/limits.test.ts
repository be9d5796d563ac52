import { connect as openSocket } from "node:net";
import { Client } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { send } from "../_support/http.ts";
import { connect, MCP_HEADERS } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";

const MIB = 1024 * 1024;

test("a body over 4 MiB is answered 413, whether it says its length or not", async () => {
  const { mcpUrl } = await startMock();
  const body = Buffer.alloc(4 * MIB + 1, " ");
  const told = await send(mcpUrl, { method: "POST", headers: MCP_HEADERS, body }).catch(String);
  const chunked = await send(mcpUrl, {
    method: "POST",
    headers: { ...MCP_HEADERS, "transfer-encoding": "chunked" },
    body,
  }).catch(String);
  for (const reply of [told, chunked]) {
    // The server answers before it has read all; a client that is still writing may see the reset instead.
    if (typeof reply === "string") expect(reply).toMatch(/EPIPE|ECONNRESET/);
    else
      expect([reply.status, reply.json()]).toEqual([
        413,
        { error: "Request body too large: the limit is 4194304 bytes" },
      ]);
  }
});

test("a body of exactly 4 MiB is read", async () => {
  const { mcpUrl } = await startMock();
  const body = `"${"a".repeat(4 * MIB - 2)}"`;
  const reply = await send(mcpUrl, { method: "POST", headers: MCP_HEADERS, body });
  expect(reply.status).toBe(400);
  expect(reply.text).toContain("Invalid Request: a message must be a JSON object");
});

test.each([
  [
    "nested deeper than 64 levels",
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":${"[".repeat(65)}${"]".repeat(65)}}`,
  ],
  [
    'the key "__proto__" at $.params is refused',
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{"admin":true}}}',
  ],
  [
    'the key "__proto__" at $.params is refused',
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"\\u005f_proto__":{}}}',
  ],
])("JSON that nobody sends in good faith is refused: %s", async (why, body) => {
  const { mcpUrl } = await startMock();
  const reply = await send(mcpUrl, { method: "POST", headers: MCP_HEADERS, body });
  expect([reply.status, reply.json()]).toEqual([
    400,
    { jsonrpc: "2.0", id: null, error: { code: -32600, message: `Invalid Request: ${why}` } },
  ]);
});

test.each([
  ["Host", "evil.example.com"],
  ["Host", "evil.example.com:80"],
  ["Host", "localhost.evil.example.com"],
  ["Origin", "http://evil.example.com"],
  ["Origin", "null"],
])("a request whose %s is %s is answered 403", async (header, value) => {
  const { url } = await startMock();
  for (const path of ["/mcp", "/__aimock/health", "/"]) {
    const reply = await send(url + path, { headers: { [header]: value } });
    expect([reply.status, reply.json()]).toEqual([
      403,
      {
        jsonrpc: "2.0",
        id: null,
        error: {
          code: -32000,
          message: `Forbidden ${header} header "${value}": this server answers localhost, 127.0.0.1 and [::1] only`,
        },
      },
    ]);
  }
});

test.each(["localhost:1", "127.0.0.1", "127.1.2.3:80", "[::1]:80"])("the local Host %s is answered", async (host) => {
  const { url } = await startMock();
  const headers = { Host: host, Origin: `http://${host}` };
  expect((await send(`${url}/__aimock/health`, { headers })).json()).toEqual({ status: "ok" });
});

test("a request that never ends does not hold up others", async () => {
  const { url, mcpUrl } = await startMock();
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: 20 }, () => openSocket(Number(port), hostname));
  for (const socket of sockets) {
    socket.on("error", () => {});
    socket.write(`POST /mcp HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 100\r\n\r\n{"jsonrpc"`);
  }
  const client = await connect(mcpUrl);
  expect(await client.request("ping")).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  for (const socket of sockets) socket.destroy();
});

test("stop() ends while 50 streams are open, and the streams end with it", async () => {
  const { llm, mcpUrl } = await startMock();
  const ended: Promise<string>[] = [];
  for (let i = 0; i < 50; i++) {
    const { sessionId } = await connect(mcpUrl);
    const headers = { accept: "text/event-stream", "mcp-session-id": sessionId };
    const response = await fetch(mcpUrl, { headers });
    expect(response.status).toBe(200);
    ended.push(response.text());
  }
  const before = performance.now();
  await llm.stop();
  expect(performance.now() - before).toBeLessThan(1000);
  expect(await Promise.all(ended)).toEqual(Array.from({ length: 50 }, () => ": open\n\nid: main-0\ndata: \n\n"));
});

test("stop() ends with a client connected and an idle connection kept alive", async () => {
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { llm, mcp, mcpUrl } = await startMock();
  mcp.addTool({ name: "search" });
  const client = new Client({ name: "official", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl)));
  expect((await client.listTools()).tools).toEqual([{ name: "search", inputSchema: { type: "object" } }]);
  await llm.stop();
  await expect(fetch(mcpUrl)).rejects.toThrow("fetch failed");
  await client.close();
});

test("a port that is taken rejects start()", async () => {
  const { url } = await startMock();
  const { LLMock } = await import("../../src/index.ts");
  await expect(new LLMock({ port: Number(new URL(url).port) }).start()).rejects.toThrow("EADDRINUSE");
});
