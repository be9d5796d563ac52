import { expect, test } from "vitest";
import { formatFakesReport } from "../../src/index.ts";
import type { RefusedCall } from "../../src/journal/tests.ts";
import { send } from "../_support/http.ts";
import { connect, MCP_HEADERS, stateless } from "../_support/mcp.ts";
import { startServer } from "../_support/server.ts";

const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_weather", arguments: {} } };
const NO_SESSION =
  "Bad Request: the Mcp-Session-Id header is missing; send initialize first and repeat the id that it answers";

async function startWeather() {
  const { llm, url } = await startServer({}, (server) => server.loadFixtureFile("fixtures/weather/seattle.json"));
  const testId = "weather › seattle";
  return { llm, testId, mcpUrl: `${url}/mcp?testId=${encodeURIComponent(testId)}` };
}

test("what is refused for its session or its headers stands in the test's journal and report, with the reason", async () => {
  const { llm, testId, mcpUrl } = await startWeather();
  const post = (message: unknown, headers = {}) =>
    send(mcpUrl, { method: "POST", headers: { ...MCP_HEADERS, ...headers }, body: JSON.stringify(message) });
  await post(CALL);
  await post([CALL, { ...CALL, method: "resources/read", params: { uri: "docs://a" } }]);
  await stateless(mcpUrl, "tools/call", { params: CALL.params, headers: { "mcp-name": "other" } });
  await send(mcpUrl, { method: "GET", headers: { accept: "text/event-stream" } });

  const mismatch = expect.stringMatching(/^Header mismatch: /);
  const { refused, ok, unconsumed } = llm.fakesReport(testId);
  expect(refused.map(({ path: _path, ...row }) => row)).toEqual([
    { tool: "get_weather", status: 400, reason: NO_SESSION },
    { tool: "get_weather", status: 400, reason: NO_SESSION },
    { resource: "docs://a", status: 400, reason: NO_SESSION },
    { tool: "get_weather", status: 400, reason: mismatch },
  ]);
  expect([ok, unconsumed.length]).toEqual([false, 1]);
  expect(formatFakesReport(llm.fakesReport(testId))).toContain(
    `\n  refused: tools/call get_weather (HTTP 400): ${NO_SESSION}\n`,
  );
  const entries = llm.getRequests().filter((entry) => entry.testId === testId);
  expect(entries.map(({ method, response }) => [method, response.status, response.refused])).toEqual([
    ["POST", 400, NO_SESSION],
    ["POST", 400, NO_SESSION],
    ["POST", 400, mismatch],
    ["GET", 405, "Method not allowed: use POST, GET with a session, or DELETE"],
  ]);
});

test("a refusal alone fails no report", async () => {
  const { llm, mcpUrl } = await startWeather();
  await send(mcpUrl.replace(/testId.*/, "testId=other"), {
    method: "POST",
    headers: MCP_HEADERS,
    body: JSON.stringify(CALL),
  });
  expect(llm.fakesReport("other")).toMatchObject({ ok: true, refused: [{ tool: "get_weather" }] });
});

test("a request to a path that nothing serves stands in the test's journal and report, and fails none", async () => {
  const { llm, url } = await startServer();
  const tag = { "x-test-id": encodeURIComponent("a › b") };
  const body = JSON.stringify(CALL);
  await send(`${url}/nope`, { method: "POST", headers: tag, body });
  await send(`${url}/__test/a%20%E2%80%BA%20b/v1/v2/chat/completions`, { method: "POST", body: "no JSON" });
  await send(`${url}/.well-known/oauth-protected-resource`, { headers: tag });
  await send(`${url}/favicon.ico`);

  const nope = "Not found: POST /nope (nothing is mounted)";
  const chat = "Not found: POST /v1/v2/chat/completions (nothing is mounted)";
  expect(llm.fakesReport("a › b")).toMatchObject({ ok: true });
  expect(llm.fakesReport("a › b").refused).toEqual([
    { tool: "get_weather", path: "/nope", status: 404, reason: nope },
    { path: "/__test/a%20%E2%80%BA%20b/v1/v2/chat/completions", status: 404, reason: chat },
  ]);
  expect(
    llm.getRequests().map(({ service, testId, response }) => [service, testId, response.status, response.refused]),
  ).toEqual([
    ["none", "a › b", 404, nope],
    ["none", "a › b", 404, chat],
    ["none", "a › b", 404, "Not found: GET /.well-known/oauth-protected-resource (nothing is mounted)"],
  ]);
  const { refused } = (await send(`${url}/__aimock/tests`)).json() as { refused: RefusedCall[] };
  expect(refused.map(({ testId, reason }) => [testId, reason])).toEqual([
    ["a › b", nope],
    ["a › b", chat],
  ]);
});

test("a call that names no tool is told with its reason, in whatever way it comes", async () => {
  const { llm, url } = await startServer({}, (server) => server.ensureMcpMount("/mcp"));
  const client = await connect(`${url}/mcp`, { headers: { "x-test-id": "a" } });
  await client.post({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { arguments: { id: 1 } } });
  await client.post({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: 5 } });
  expect(llm.fakesReport("a").unfaked).toEqual([
    { mount: "/mcp", tool: "", args: { id: 1 }, answeredBy: "invalid", reason: "Missing tool name" },
    {
      mount: "/mcp",
      tool: "",
      args: {},
      answeredBy: "invalid",
      reason: "Invalid tool name: expected a string, got number",
    },
  ]);
});
