import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { send } from "../_support/http.ts";
import { MCP_HEADERS } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";

const DISCOVER = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "server/discover",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      note: "größer als ein Paket",
    },
  },
});
const HEADERS = { ...MCP_HEADERS, "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" };

test("a request is answered although a diagnostics tool of the process reads its body too", async () => {
  const { mcpUrl } = await startMock();
  const heard: Buffer[] = [];
  const listen = (event: unknown) => {
    const { request } = event as { request: IncomingMessage }; // Node's own shape
    request.on("data", (chunk: Buffer) => heard.push(chunk));
  };
  subscribe("http.server.request.start", listen);
  const { status } = await send(mcpUrl, { method: "POST", headers: HEADERS, body: DISCOVER });
  unsubscribe("http.server.request.start", listen);
  expect(status).toBe(200);
  expect(Buffer.concat(heard).toString()).toBe(DISCOVER);
});

test("a body that comes byte by byte is read as it was sent", async () => {
  const { mcpUrl, url } = await startMock();
  const { hostname, port } = new URL(mcpUrl);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  const lines = Object.entries({ ...HEADERS, host: hostname, "content-length": Buffer.byteLength(DISCOVER) });
  socket.write(`POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
  for (const byte of Buffer.from(DISCOVER)) {
    await setTimeout(0);
    socket.write(Buffer.of(byte));
  }
  const [answer] = await once(socket.setEncoding("utf8"), "data");
  socket.destroy();
  expect(answer).toContain("HTTP/1.1 200 OK");
  const [journaled] = (await send(`${url}/__aimock/journal`)).json() as { mcp: { params: unknown } }[];
  expect(journaled?.mcp.params).toEqual(JSON.parse(DISCOVER).params);
});
