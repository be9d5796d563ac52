import { expect, test } from "vitest";
import { formatFakesReport } from "../../src/index.ts";
import { send } from "../_support/http.ts";
import { MCP_HEADERS, stateless } from "../_support/mcp.ts";
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
