import { expect, test } from "vitest";
import { send } from "../_support/http.ts";
import { MCP_HEADERS } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";

const PAGE = "http://localhost:3000";

test("a page of this machine may ask first, and is told what it may send", async () => {
  const { mcpUrl } = await startMock();
  const { status, headers, text } = await send(mcpUrl, {
    method: "OPTIONS",
    headers: {
      Origin: PAGE,
      "X-Request-Id": "mine",
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "content-type,x-test-id",
    },
  });
  expect([status, text]).toEqual([204, ""]);
  expect(headers).toMatchObject({
    "access-control-allow-origin": PAGE,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "content-type,x-test-id",
    vary: "origin",
    "x-request-id": "mine",
  });
});

test("a page of this machine may read the answer and its session id", async () => {
  const { mcpUrl } = await startMock();
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "page", version: "1.0.0" } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  const { status, headers } = await send(mcpUrl, { method: "POST", headers: { ...MCP_HEADERS, Origin: PAGE }, body });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "access-control-allow-origin": PAGE,
    "access-control-expose-headers": "mcp-session-id, x-request-id, x-total-count, retry-after",
  });
});

test("a page from elsewhere is refused and told nothing, and a client that is no page gets no such header", async () => {
  const { mcpUrl } = await startMock();
  const foreign = await send(mcpUrl, {
    method: "OPTIONS",
    headers: { Origin: "http://evil.example.com", "Access-Control-Request-Method": "POST" },
  });
  const plain = await send(mcpUrl, { method: "POST", headers: MCP_HEADERS, body: "{}" });
  expect([foreign.status, foreign.headers["access-control-allow-origin"]]).toEqual([403, undefined]);
  expect(plain.headers).not.toHaveProperty("access-control-allow-origin");
});

test("the control API says it once, too", async () => {
  const { url } = await startMock();
  const { headers } = await send(`${url}/__aimock/health`, { headers: { Origin: PAGE } });
  expect(headers["access-control-allow-origin"]).toBe("*");
});
