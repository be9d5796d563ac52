import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { MCPMock } from "../../src/index.ts";
import { connect } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";

async function connectOfficial(url: string): Promise<Client> {
  const client = new Client({ name: "official", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  onTestFinished(() => client.close());
  return client;
}

test("a stand-alone mock serves tools, resources and prompts to the official client", async () => {
  const mcp = new MCPMock();
  mcp.addTool({ name: "search", description: "Search the web" });
  mcp.onToolCall("search", (args) => `Results for ${(args as { query: string }).query}`);
  mcp.addResource({ uri: "file:///readme.md", name: "README", mimeType: "text/markdown" }, { text: "# My Project" });
  mcp.addPrompt({ name: "summarize", arguments: [{ name: "text", required: true }] }, ({ text }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Summarize: ${text}` } }],
  }));
  const client = await connectOfficial(await mcp.start());
  onTestFinished(() => mcp.stop());

  expect((await client.callTool({ name: "search", arguments: { query: "cats" } })).content).toEqual([
    { type: "text", text: "Results for cats" },
  ]);
  expect((await client.readResource({ uri: "file:///readme.md" })).contents).toEqual([
    { uri: "file:///readme.md", mimeType: "text/markdown", text: "# My Project" },
  ]);
  const prompt = await client.getPrompt({ name: "summarize", arguments: { text: "long" } });
  expect(prompt.messages).toEqual([{ role: "user", content: { type: "text", text: "Summarize: long" } }]);
  expect(mcp.health()).toEqual({ status: "ok", tools: 1, resources: 1, prompts: 1, sessions: 1 });
  expect([...mcp.getSessions().values()].map((session) => session.client)).toEqual(["official"]);
  expect(mcp.getRequests().map((entry) => entry.mcp?.method)).toContain("tools/call");
});

test.each<[string, unknown, Record<string, unknown>]>([
  ["text", "42", { content: [{ type: "text", text: "42" }], isError: false }],
  ["a number", 42, { content: [{ type: "text", text: "42" }], isError: false }],
  ["content blocks", [{ type: "text", text: "a" }], { content: [{ type: "text", text: "a" }], isError: false }],
  [
    "data",
    { tempF: 60 },
    { content: [{ type: "text", text: '{"tempF":60}' }], structuredContent: { tempF: 60 }, isError: false },
  ],
  ["a full result", { content: [], isError: true }, { content: [], isError: true }],
  ["nothing", undefined, { content: [] }],
])("a handler may answer %s", async (_what, answer, result) => {
  const { mcp, mcpUrl } = await startMock();
  mcp.onToolCall("tool", () => answer);
  expect((await (await connect(mcpUrl)).call("tool")).result).toEqual(result);
});

test("what a handler throws, or cannot be sent, is a tool error that the model sees", async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.onToolCall("throws", () => {
    throw new Error("out of paper");
  });
  mcp.onToolCall("bad", () => [{ type: "hologram" }]);
  const client = await connect(mcpUrl);
  expect((await client.call("throws")).result).toEqual({
    content: [{ type: "text", text: "out of paper" }],
    isError: true,
  });
  const bad = await client.call("bad");
  expect(bad.result).toMatchObject({ isError: true });
  expect(JSON.stringify(bad.result)).toContain("the handler's answer cannot be sent");
});

test.each([
  [{}, "Missing tool name"],
  [{ name: 7 }, "Invalid tool name: expected a string, got number"],
  [{ name: "nope" }, "Unknown tool: nope"],
])("a call of %j is refused: %s", async (params, message) => {
  const { mcpUrl } = await startMock();
  const { error } = await (await connect(mcpUrl)).request("tools/call", params);
  expect(error).toEqual({ code: -32602, message });
});

test("unknown and incomplete requests for resources and prompts are refused by name", async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.addPrompt({ name: "summarize", arguments: [{ name: "text", required: true }] });
  const client = await connect(mcpUrl);
  const answers = [
    await client.request("resources/read", {}),
    await client.request("resources/read", { uri: "file:///none" }),
    await client.request("prompts/get", {}),
    await client.request("prompts/get", { name: "none" }),
    await client.request("prompts/get", { name: "summarize" }),
    await client.request("prompts/get", { name: "summarize", arguments: { text: 7 } }),
  ];
  expect(answers.map(({ error }) => error)).toEqual([
    { code: -32602, message: "Missing resource URI" },
    { code: -32002, message: "Unknown resource: file:///none", data: { uri: "file:///none" } },
    { code: -32602, message: "Missing prompt name" },
    { code: -32602, message: "Unknown prompt: none" },
    { code: -32602, message: "Prompt summarize: missing required argument text" },
    { code: -32602, message: "Prompt summarize: argument text must be a string, got 7" },
  ]);
});

test("a registered tool is listed with its own definition, before the tools that only fakes declare", async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.addTool({ name: "b", title: "Bee", inputSchema: { type: "object", properties: {} } });
  mcp.onToolCall("a", () => "a");
  const calls = [{ anyArgs: true as const, result: "" }];
  mcp.loadFakes({
    scope: "shared",
    tools: [
      { name: "z", description: "Zed", calls },
      { name: "b", description: "not this one", calls },
    ],
  });
  const { result } = await (await connect(mcpUrl)).request("tools/list");
  expect(result).toEqual({
    tools: [
      { name: "b", title: "Bee", inputSchema: { type: "object", properties: {} } },
      { name: "a", inputSchema: { type: "object" } },
      { name: "z", inputSchema: { type: "object" }, description: "Zed" },
    ],
  });
});

test("wrong registrations throw at once and say what is right", () => {
  const mcp = new MCPMock();
  const cyclic: Record<string, unknown> = { name: "cyclic" };
  cyclic.self = cyclic;
  expect(() => mcp.addTool({ name: "" })).toThrow('addTool: name must be a non-empty string, got ""');
  expect(() => mcp.addTool(cyclic as { name: string })).toThrow(
    'addTool("cyclic"): what is registered must be plain JSON',
  );
  expect(() => mcp.onToolCall("x", "text" as never)).toThrow(
    'onToolCall("x"): the handler must be a function, got string',
  );
  expect(() => mcp.addResource({ uri: "a:b", name: "x" }, {} as never)).toThrow(
    'addResource("a:b"): the content must be { text } or { blob } (base64), got {}',
  );
  expect(mcp.health()).toMatchObject({ tools: 0, resources: 0, prompts: 0 });
});

test("reset() forgets tools, resources, prompts, sessions and fakes", async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.onToolCall("tool", () => "");
  mcp.loadFakes({ scope: "shared", tools: [{ name: "t", calls: [{ anyArgs: true, result: "" }] }] });
  const client = await connect(mcpUrl);
  mcp.reset();
  expect(mcp.health()).toEqual({ status: "ok", tools: 0, resources: 0, prompts: 0, sessions: 0 });
  expect(mcp.fakesSnapshot()).toEqual([]);
  expect((await client.post({ jsonrpc: "2.0", id: 1, method: "ping" })).status).toBe(404);
});
