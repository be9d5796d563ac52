import { describe, expect, test } from "vitest";
import { MCPMock, type McpFakeCall } from "../../src/index.ts";
import { problemsOf } from "../_support/thrown.ts";
import { WIRES } from "../_support/wires.ts";

const QUESTION = { message: "Sure?", requestedSchema: { type: "object", properties: {} } };

/** A mock whose tool has these scripted answers. */
function mockOf(...calls: McpFakeCall[]): MCPMock {
  const mcp = new MCPMock({ sse: true });
  mcp.loadFakes({ scope: "shared", tools: [{ name: "deploy", calls }] });
  return mcp;
}

const CALLED = { name: "deploy" };

describe.each(WIRES)("$name", ({ connect, era }) => {
  test("a fake reports progress and logs before it answers", async () => {
    const steps = [
      { progress: 1, total: 2 },
      { log: "half done", logger: "ci" },
      { delayMs: 20 },
      { progress: 2 },
      { delayMs: 20 },
    ];
    const { client, heard } = await connect(mockOf({ anyArgs: true, steps, result: "deployed" }));
    const seen: object[] = [];
    const _meta = era === "session" ? {} : { _meta: { "io.modelcontextprotocol/logLevel": "info" } };
    const result = await client.callTool({ ...CALLED, ..._meta }, { onprogress: (each) => seen.push(each) });
    expect(result.content).toEqual([{ type: "text", text: "deployed" }]);
    expect(seen).toEqual([{ progress: 1, total: 2 }, { progress: 2 }]);
    expect(heard.map(({ params }) => params)).toEqual([{ level: "info", data: "half done", logger: "ci" }]);
  });
});

describe.each(WIRES.filter(({ elicits }) => elicits))("$name", ({ connect }) => {
  test("a fake asks its questions, answers once, and is used once", async () => {
    const mcp = mockOf({
      anyArgs: true,
      steps: [
        { elicit: QUESTION, key: "sure", expect: { action: "accept" } },
        { sample: { messages: [], maxTokens: 1 } },
        { roots: true, expect: { roots: [{ uri: "file:///a" }] } },
      ],
      result: "deployed",
    });
    const { client } = await connect(mcp, {
      elicit: () => ({ action: "accept", content: {} }),
      sample: () => ({ role: "assistant", content: { type: "text", text: "" }, model: "m" }),
      roots: [{ uri: "file:///a" }],
    });
    expect((await client.callTool(CALLED)).content).toEqual([{ type: "text", text: "deployed" }]);
    expect(mcp.fakesReport()).toMatchObject({ served: [{ tool: "deploy" }], sharedUnconsumed: [], failures: [] });
  });

  test("an answer that the scenario does not expect is a mismatch", async () => {
    const steps = [{ elicit: QUESTION, expect: { action: "accept" } }];
    const mcp = mockOf({ anyArgs: true, steps, result: "deployed" });
    const { client } = await connect(mcp, { elicit: () => ({ action: "decline" }) });
    const error = await client.callTool(CALLED).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining(
        'aimock MCP fake mismatch: tool "deploy" asked the client (elicit of code#1:deploy#0) and got an answer that the ' +
          'scenario does not expect (no testId or context): $.action: expected "accept", received "decline".',
      ),
      data: { aimock: { code: "MCP_FAKE_MISMATCH", question: "elicit", received: { action: "decline" } } },
    });
    expect(mcp.fakesReport().failures).toMatchObject([{ code: "MCP_FAKE_MISMATCH", tool: "deploy" }]);
  });

  test("two calls that ask at the same time each go on with their own entry", async () => {
    const mcp = mockOf(
      { args: { to: "a" }, steps: [{ elicit: QUESTION }], result: "at a" },
      { args: { to: "b" }, steps: [{ elicit: QUESTION }], result: "at b" },
    );
    const { client } = await connect(mcp, { elicit: () => ({ action: "accept" }) });
    const results = await Promise.all(["b", "a"].map((to) => client.callTool({ ...CALLED, arguments: { to } })));
    expect(results.map(({ content }) => content)).toEqual([
      [{ type: "text", text: "at b" }],
      [{ type: "text", text: "at a" }],
    ]);
  });

  test("a wait ends when the client gives up", async () => {
    const mcp = mockOf({ anyArgs: true, steps: [{ delayMs: 60_000 }], result: "late" });
    const { client } = await connect(mcp);
    await expect(client.callTool(CALLED, { timeout: 100 })).rejects.toThrow();
    await expect.poll(() => mcp.getRequests().filter((each) => each.mcp?.method === "tools/call").length).toBe(1);
    expect((await client.listTools()).tools).toHaveLength(1);
  });
});

test("steps that cannot be done are refused when they are loaded, all at once", () => {
  const steps = [{ progress: "half" }, { log: "x", level: "loud" }, { dance: 1 }, { elicit: {}, expect: 1 }];
  const calls = [{ anyArgs: true, steps, result: "" }] as unknown as McpFakeCall[];
  const problems = problemsOf(() => mockOf(...calls));
  expect(problems.map((problem) => /steps\[\d\].*/.exec(problem)?.[0])).toEqual([
    'steps[0].progress must be a number, got "half"',
    'steps[1].level must be "debug", "info", "notice", "warning", "error", "critical", "alert" or "emergency", got "loud"',
    "steps[2].progress is missing; it must be a number",
    expect.stringContaining("steps[2].dance unknown key; known: "),
    "steps[3].expect must be an object, got 1",
  ]);
});
