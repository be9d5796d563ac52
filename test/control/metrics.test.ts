import { once } from "node:events";
import { connect as openSocket } from "node:net";
import { expect, test } from "vitest";
import { post, send } from "../_support/http.ts";
import { connect } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";
import { tempFile } from "../_support/temp.ts";

const BLOCK = {
  scope: { testId: "t" },
  undeclaredTools: "deny",
  tools: [{ name: "get_weather", calls: [{ args: { city: "Seattle" }, result: "rain" }] }],
};

/** The lines of one metric, its values included. */
async function read(url: string, name: string): Promise<string[]> {
  const { text } = await send(`${url}/metrics`);
  return text.split("\n").filter((line) => line.startsWith(name) && !line.includes("_bucket"));
}

test("metrics count calls, failures by code, fakes by mount, messages by method", async () => {
  const { url, mcpUrl } = await startMock({ metrics: true });
  await post(`${url}/__aimock/fixtures`, { mcpFakes: BLOCK, fixtures: [{ match: {}, response: { content: "Hi" } }] });
  const client = await connect(mcpUrl, { headers: { "X-Test-Id": "t" } });
  await client.call("get_weather", { city: "Seattle" });
  await client.call("get_weather", { city: "Seattle" });
  await client.call("get_weather", { city: "Oslo" });
  await client.call("delete_account", {});
  await client.request("no/such-method");
  await client.post([]);

  expect((await send(`${url}/metrics`)).text).toMatch(/^# TYPE aimock_requests_total counter\n(?![\s\S]*# HELP)/);
  expect(await read(url, "aimock_mcp_fakes_answered_total")).toEqual([
    'aimock_mcp_fakes_answered_total{mount="/mcp"} 1',
  ]);
  expect(await read(url, "aimock_mcp_fake_failures_total")).toEqual([
    'aimock_mcp_fake_failures_total{code="MCP_FAKE_EXHAUSTED"} 1',
    'aimock_mcp_fake_failures_total{code="MCP_FAKE_MISMATCH"} 1',
    'aimock_mcp_fake_failures_total{code="MCP_FAKE_NOT_DECLARED"} 1',
  ]);
  expect(await read(url, "aimock_mcp_requests_total")).toEqual([
    'aimock_mcp_requests_total{method="initialize"} 1',
    'aimock_mcp_requests_total{method="notifications/initialized"} 1',
    'aimock_mcp_requests_total{method="tools/call"} 4',
    'aimock_mcp_requests_total{method="unknown"} 2',
  ]);
  expect(await read(url, "aimock_mcp_fake_blocks_loaded")).toEqual(['aimock_mcp_fake_blocks_loaded{mount="/mcp"} 1']);
  expect(await read(url, "aimock_fixtures_loaded")).toEqual(["aimock_fixtures_loaded 1"]);
});

test("an internal error is counted and logged, and its journal entry has the text and no mcpFake", async () => {
  const { llm, url, mcpUrl } = await startMock({ metrics: true });
  const logged: string[] = [];
  llm.setLogger({ error: (line) => void logged.push(line), warn() {}, info() {}, debug() {} });
  llm.loadFixtureFile(tempFile("mock.json", { tools: [{ name: "t", default: { text: "{{args.x}}" } }] }));
  const { error } = await (await connect(mcpUrl)).call("t", {});
  const message =
    'aimock MCP fake internal error: tool "t" could not be answered (no testId or context): the answer asks for {{args.x}}, but the call has no argument at "x"';
  expect(error?.message).toBe(message);
  expect(await read(url, "aimock_mcp_fake_failures_total")).toEqual([
    'aimock_mcp_fake_failures_total{code="MCP_FAKE_INTERNAL_ERROR"} 1',
  ]);
  expect(logged).toEqual([`MCP-FAKE: internal error for tools/call t (no testId or context, mount /mcp): ${message}`]);
  expect(llm.getRequests().at(-1)?.response).toEqual({ status: 200, fixture: null, error: message });
});

test("a session that its client ends is counted", async () => {
  const { url, mcpUrl } = await startMock({ metrics: true });
  const { sessionId } = await connect(mcpUrl);
  await send(mcpUrl, { method: "DELETE", headers: { "mcp-session-id": sessionId } });
  expect(await read(url, "aimock_mcp_requests_total")).toContain(
    'aimock_mcp_requests_total{method="session/delete"} 1',
  );
});

test("requests are counted by few labels, whatever clients ask for", async () => {
  const { url } = await startMock({ metrics: true });
  for (const path of [
    "/mcp",
    "/mcp/a/b",
    "/nowhere/1",
    "/nowhere/2",
    "/v1/messages",
    "/v1beta/models/gemini:generateContent",
    "/__aimock/health",
    "/__aimock/journal?limit=1",
  ]) {
    await send(url + path);
  }
  await send(`${url}/mcp`, { headers: { Origin: "http://evil.example.com" } });
  await send(`${url}/mcp`, { method: "PROPFIND" });

  expect(await read(url, "aimock_requests_total")).toEqual([
    'aimock_requests_total{method="GET",path="/mcp",status="405"} 1',
    'aimock_requests_total{method="GET",path="/mcp/{other}",status="404"} 1',
    'aimock_requests_total{method="GET",path="{unknown}",status="404"} 2',
    'aimock_requests_total{method="GET",path="/v1/messages",status="404"} 1',
    'aimock_requests_total{method="GET",path="{model}",status="404"} 1',
    'aimock_requests_total{method="GET",path="/__aimock/{other}",status="200"} 2',
    'aimock_requests_total{method="GET",path="/mcp",status="403"} 1',
    'aimock_requests_total{method="other",path="/mcp",status="405"} 1',
  ]);
  expect(await read(url, "aimock_request_duration_seconds_count")).toContain(
    'aimock_request_duration_seconds_count{method="GET",path="/mcp"} 2',
  );
});

test("a torn connection is counted as destroyed", { timeout: 30_000 }, async () => {
  const { mcp, url, mcpUrl } = await startMock({ metrics: true });
  const client = await connect(mcpUrl);
  const called = new Promise<void>((resolve) => {
    mcp.onToolCall("hang", () => {
      resolve();
      return new Promise(() => {});
    });
  });
  const { hostname, port } = new URL(url);
  const socket = openSocket(Number(port), hostname);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "hang" } });
  const head = `POST /mcp HTTP/1.1\r\nHost: ${hostname}\r\nMcp-Session-Id: ${client.sessionId}\r\nContent-Length: ${body.length}`;
  socket.write(`${head}\r\n\r\n${body}`);
  await called;
  socket.destroy();
  await once(socket, "close");

  await expect
    .poll(() => read(url, "aimock_requests_total"), { timeout: 20_000 })
    .toContain('aimock_requests_total{method="POST",path="/mcp",status="destroyed"} 1');
});

test("without the option there is no metrics page", async () => {
  const { url } = await startMock();
  expect((await send(`${url}/metrics`)).json()).toEqual({
    error: { message: "Not found: GET /metrics (mounted: /mcp)", type: "not_found" },
  });
});
