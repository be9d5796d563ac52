import { expect, onTestFinished, test } from "vitest";
import { formatFakesReport, MCPMock } from "../../../src/index.ts";
import { send } from "../../_support/http.ts";

async function start(sse: boolean): Promise<{ mcp: MCPMock; url: string }> {
  const mcp = new MCPMock({ sse });
  onTestFinished(() => mcp.stop());
  return { mcp, url: await mcp.start() };
}

const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

test("the old transport answers down its stream, and the session ends with it", async () => {
  const { mcp, url } = await start(true);
  const stream = await openSse(url);
  const reply = await send(`${url}${stream.endpoint}`, { method: "POST", body: INITIALIZE });
  expect([reply.status, reply.text]).toEqual([202, ""]);
  expect(await stream.next()).toContain('"protocolVersion":"2024-11-05"');
  expect(mcp.getSessions().size).toBe(1);
  stream.close();
  await expect.poll(() => mcp.getSessions().size).toBe(0);
  expect((await send(`${url}${stream.endpoint}`, { method: "POST", body: PING })).status).toBe(404);
});

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name: "c", version: "1" } },
});

test.each([
  ["no session", "/message", PING, 404, "No open stream has the sessionId null"],
  ["an unknown session", "/message?sessionId=x", PING, 404, 'No open stream has the sessionId "x"'],
])("a message with %s is refused", async (_what, path, body, status, text) => {
  const { url } = await start(true);
  const reply = await send(`${url}${path}`, { method: "POST", body });
  expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(text.replaceAll('"', '\\"'))]);
});

test("a message that is no JSON is refused", async () => {
  const { url } = await start(true);
  const { endpoint } = await openSse(url);
  const reply = await send(`${url}${endpoint}`, { method: "POST", body: "{" });
  expect([reply.status, reply.text]).toEqual([400, expect.stringContaining("Bad message: ")]);
});

test("a call that is refused on the old transport stands in its test's report, without a status of its own", async () => {
  const { mcp, url } = await start(true);
  const { endpoint } = await openSse(url);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "early" } });
  await send(`${url}${endpoint}`, { method: "POST", body, headers: { "x-test-id": "t" } });
  const report = mcp.fakesReport("t");
  const reason = "Session not initialized: send initialize first";
  expect(report.refused).toEqual([{ tool: "early", path: endpoint, status: 202, reason }]);
  expect(formatFakesReport({ ...report, ok: false, evicted: true })).toContain(
    `\n  refused: tools/call early: ${reason}\n`,
  );
});

test("the old transport is off unless it is asked for", async () => {
  const { url } = await start(false);
  expect((await send(`${url}/sse`, { headers: { accept: "text/event-stream" } })).status).toBe(405);
});

interface SseStream {
  readonly endpoint: string;
  next(): Promise<string>;
  close(): void;
}

async function openSse(url: string): Promise<SseStream> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const { body } = await fetch(`${url}/sse`, { signal: abort.signal });
  if (body === null) throw new Error("no stream");
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => String((await reader.read()).value);
  const endpoint = /^event: endpoint\ndata: (.+)\n\n$/.exec(await next())?.[1] ?? "";
  return { endpoint, next, close: () => abort.abort() };
}
