import { join } from "node:path";
import { expect, test } from "vitest";
import { CallLog, MCPMock, type McpFakeCall } from "../../src/index.ts";
import { connect } from "../_support/mcp.ts";
import { startMock, startServer } from "../_support/server.ts";
import { tempFolder } from "../_support/temp.ts";

const SCHEMA = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
const MISFIT = "args does not fit the tool's inputSchema: $.title must be string";
const MISSING = "args does not fit the tool's inputSchema: $ must have required property 'title'";

test("a call whose arguments break the schema of a fake is answered, noted and told as a warning", async () => {
  const { mcp, mcpUrl } = await startMock();
  const calls: McpFakeCall[] = [
    { anyArgs: true, times: 2, result: "ok" },
    { anyArgs: true, unsafe: true, result: "ok" },
  ];
  mcp.loadFakes({ scope: { testId: "T" }, tools: [{ name: "create_ticket", inputSchema: SCHEMA, calls }] });
  const client = await connect(`${mcpUrl}?testId=T`);
  for (const args of [{ title: "Refund" }, { title: 5 }, {}]) await client.call("create_ticket", args);
  const seen = mcp.getRequests().flatMap(({ mcp: facts }) => facts?.call ?? []);
  expect(seen.map(({ outcome, warnings }) => [outcome, warnings])).toEqual([
    ["answered", undefined],
    ["answered", [MISFIT]],
    ["answered", undefined],
  ]);
  const report = mcp.fakesReport("T");
  expect(report.ok).toBe(true);
  expect(report.warnings).toEqual([{ mount: "/mcp", tool: "create_ticket", args: { title: 5 }, message: MISFIT }]);
});

test("so is a call whose arguments are no object, which no server that keeps to MCP would take", async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.loadFakes({ scope: "shared", tools: [{ name: "search", calls: [{ anyArgs: true, times: 4, result: "ok" }] }] });
  const client = await connect(mcpUrl);
  for (const args of ["Berlin", [1], null]) {
    expect((await client.call("search", args)).result?.content).toMatchObject([{ text: "ok" }]);
  }
  await client.request("tools/call", { name: "search" });
  expect(mcp.fakesReport().warnings.map(({ message }) => message)).toEqual([
    'args must be a JSON object, got "Berlin"',
    "args must be a JSON object, got [1]",
    "args must be a JSON object, got null",
  ]);
});

test("so is a call of a tool that code answers, and the log tells of it", async () => {
  const log = join(tempFolder(), "calls.jsonl");
  const mcp = new MCPMock();
  mcp.addTool({ name: "create_ticket", inputSchema: SCHEMA }).onToolCall("create_ticket", async () => "TICKET-42");
  mcp.loadFakes({
    scope: "shared",
    tools: [{ name: "close", inputSchema: SCHEMA, calls: [{ args: { title: "x" }, result: "" }] }],
  });
  const { url } = await startServer({ log }, (llm) => llm.mount("/mcp", mcp));
  const client = await connect(`${url}/mcp`);
  expect((await client.call("create_ticket")).result?.content).toMatchObject([{ text: "TICKET-42" }]);
  expect((await client.call("close", { title: 5 })).error?.data?.aimock.code).toBe("MCP_FAKE_MISMATCH");
  expect(mcp.fakesReport().warnings.map(({ tool, message }) => [tool, message])).toEqual([
    ["create_ticket", MISSING],
    ["close", MISFIT],
  ]);
  expect(CallLog.load(log).calls.map(({ warnings }) => warnings)).toEqual([[MISSING], [MISFIT]]);
});

test("arguments that a prompt does not declare, or lacks, are told of in the same places", async () => {
  const log = join(tempFolder(), "calls.jsonl");
  const mcp = new MCPMock();
  mcp.addPrompt({ name: "code", arguments: [{ name: "path", required: true }] }, () => ({ messages: [] }));
  const declared = [{ name: "who", required: true }, { name: "tone" }];
  const calls = [{ result: "Dear" }, { result: "Dear" }, { unsafe: true, result: "Dear" }] as const;
  mcp.loadFakes({ scope: { testId: "T" }, prompts: [{ name: "greet", arguments: declared, calls }] });
  const { url } = await startServer({ log }, (llm) => llm.mount("/mcp", mcp));
  const client = await connect(`${url}/mcp?testId=T`);
  const get = (name: string, args: object) => client.request("prompts/get", { name, arguments: args });
  for (const args of [{ who: "Ada" }, { ton: "dry" }, {}]) await get("greet", args);
  await get("code", {});
  const misfit = (text: string) => `args does not fit the prompt's arguments: ${text}`;
  const told = [[misfit("$.ton is none of them"), misfit("$.who is required")], [misfit("$.path is required")]];
  const seen = mcp.getRequests().flatMap(({ mcp: facts }) => facts?.prompt?.warnings ?? []);
  expect(seen).toEqual(told.flat());
  const report = mcp.fakesReport("T");
  expect([report.ok, report.warnings]).toEqual([
    true,
    [
      ...(told[0] ?? []).map((message) => ({ mount: "/mcp", prompt: "greet", args: { ton: "dry" }, message })),
      ...(told[1] ?? []).map((message) => ({ mount: "/mcp", prompt: "code", args: {}, message })),
    ],
  ]);
  expect(CallLog.load(log).lines.flatMap(({ warnings }) => (warnings === undefined ? [] : [warnings]))).toEqual(told);
});
