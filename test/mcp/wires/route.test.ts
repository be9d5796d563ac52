import { expect, onTestFinished, test } from "vitest";
import { MCPMock, type MCPMockOptions } from "../../../src/index.ts";
import { send } from "../../_support/http.ts";
import { connect, envelope, MCP_HEADERS, stateless } from "../../_support/mcp.ts";

async function start(options: MCPMockOptions = {}): Promise<string> {
  const mcp = new MCPMock(options);
  onTestFinished(() => mcp.stop());
  return mcp.start();
}

async function post(url: string, message: unknown, headers: Record<string, string> = {}): Promise<[number, unknown]> {
  const sent = { method: "POST", headers: { ...MCP_HEADERS, ...headers }, body: JSON.stringify(message) };
  const reply = await send(url, sent);
  return [reply.status, reply.text === "" ? null : reply.json()];
}

const PARAMS = { capabilities: {}, clientInfo: { name: "c", version: "1" } };
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", ...PARAMS },
};

test("one endpoint serves both eras, and a probe of one does not bind the client to it", async () => {
  const url = await start();
  expect((await stateless(url, "server/discover")).status).toBe(200);
  const client = await connect(url);
  expect((await client.request("ping")).result).toEqual({});
  expect((await stateless(url, "tools/list")).status).toBe(200);
});

test("headers of the stateless era mean nothing in a session", async () => {
  const client = await connect(await start());
  const headers = { "mcp-method": "prompts/list", "mcp-name": "x" };
  expect((await client.request("tools/list", {}, headers)).result).toEqual({ tools: [] });
});

test("initialize is a handshake although it carries an envelope that is not whole", async () => {
  const url = await start();
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
  const [status, answer] = await post(url, { ...INITIALIZE, params: { ...INITIALIZE.params, _meta } });
  expect([status, answer]).toMatchObject([200, { result: { protocolVersion: "2025-11-25" } }]);
});

test("a batch with one stateless element is refused whole", async () => {
  const client = await connect(await start(), { protocolVersion: "2025-03-26" });
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const reply = await client.post([ping, { ...ping, id: 2, params: { _meta: envelope() } }]);
  expect([reply.status, reply.json()]).toEqual([
    400,
    {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: "Invalid Request: send one message, not a batch" },
    },
  ]);
});

test("a mock pinned to sessions does not know the stateless era", async () => {
  const url = await start({ protocolVersions: ["2025-06-18", "2025-03-26"] });
  const reply = await stateless(url, "server/discover");
  expect([reply.status, reply.json()]).toMatchObject([400, { error: { code: -32000 } }]);
  expect(await post(url, INITIALIZE)).toMatchObject([200, { result: { protocolVersion: "2025-06-18" } }]);
});

test("a mock pinned to the stateless era tells others what it serves", async () => {
  const url = await start({ protocolVersions: "2026-07-28" });
  expect(await post(url, INITIALIZE)).toEqual([
    400,
    {
      jsonrpc: "2.0",
      id: 1,
      error: {
        code: -32022,
        message: 'Unsupported protocol version "2025-11-25"; supported: 2026-07-28',
        data: { supported: ["2026-07-28"], requested: "2025-11-25" },
      },
    },
  ]);
  expect(await post(url, { jsonrpc: "2.0", id: 2, method: "tools/list" })).toMatchObject([
    400,
    { id: 2, error: { code: -32602 } },
  ]);
  expect(await post(url, { jsonrpc: "2.0", id: 3, result: {} })).toMatchObject([400, { error: { code: -32600 } }]);
  expect(await post(url, [INITIALIZE])).toMatchObject([400, { error: { code: -32600 } }]);
});

test.each<[string, MCPMockOptions, string]>([
  ["an unknown version", { protocolVersions: "1999-01-01" as never }, "protocolVersions must be one or more of"],
  ["no version at all", { protocolVersions: [] }, "protocolVersions must be one or more of"],
  ["a page size of half an item", { pageSize: 0.5 }, "pageSize must be an integer of 0 or more, got 0.5"],
  ["a server without a version", { serverInfo: { name: "x" } as never }, "serverInfo must be an object with name"],
  ["a capability that is no object", { capabilities: { tools: true } }, "capabilities must be an object of capability"],
  ["a name that is no option", { colour: "red" } as never, 'unknown option "colour"; the options are host, port,'],
])("a mock with %s is not made", (_what, options, message) => {
  expect(() => new MCPMock(options)).toThrow(message);
});
