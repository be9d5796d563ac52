import { expect, test } from "vitest";
import { post, send } from "../_support/http.ts";
import { connect, textOf } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";

const ID = "tickets.test.ts › tickets › retry on timeout";
const ANNOUNCED = { testId: ID, file: "tickets.test.ts", names: ["tickets", "retry on timeout"], attempt: 1 };

const block = (testId: string, results: string[]) => ({
  scope: { testId },
  tools: [{ name: "create_ticket", calls: results.map((result) => ({ args: {}, result })) }],
});

async function startAnnounced() {
  const server = await startMock();
  const control = `${server.url}/__aimock`;
  const announce = (more: object = {}) => post(`${control}/tests`, { ...ANNOUNCED, ...more });
  const end = (testId = ID) => post(`${control}/tests/end`, { testId });
  const client = await connect(server.mcpUrl, { headers: { "X-Test-Id": encodeURIComponent(ID) } });
  return { ...server, control, announce, end, client };
}

test.each(["tickets › retry on timeout", "tickets > retry on timeout", "tickets retry on timeout", ID])(
  "an announced test is answered by blocks scoped to %j",
  async (scope) => {
    const { mcp, client, announce } = await startAnnounced();
    mcp.loadFakes(block(scope, ["TICKET-42"]));
    await announce();
    expect(textOf(await client.call("create_ticket"))).toBe("TICKET-42");
  },
);

test("an id that nobody announced is answered by its exact scope only", async () => {
  const { mcp, client } = await startAnnounced();
  mcp.loadFakes(block("tickets › retry on timeout", ["TICKET-42"]));
  expect((await client.call("create_ticket")).error?.message).toBe("Unknown tool: create_ticket");
});

test("equally named tests of two files share a block, and each uses it up for itself", async () => {
  const { mcp, client, announce } = await startAnnounced();
  mcp.loadFakes(block("tickets › retry on timeout", ["TICKET-42"]));
  const other = "other.test.ts › tickets › retry on timeout";
  await announce();
  await announce({ testId: other, file: "other.test.ts" });
  const answers = [
    await client.call("create_ticket"),
    await client.call("create_ticket", {}, { "X-Test-Id": encodeURIComponent(other) }),
    await client.call("create_ticket"),
  ];
  expect(answers.map((answer) => textOf(answer) ?? answer.error?.code)).toEqual(["TICKET-42", "TICKET-42", -31010]);
});

test("equally named tests of two projects get an id each, and both answer to the one they asked for", async () => {
  const { mcp, client, announce, end } = await startAnnounced();
  mcp.loadFakes(block(ID, ["TICKET-42"]));
  expect(await announce({ project: "node" })).toEqual({ started: true, testId: ID });
  expect(await announce({ project: "jsdom" })).toEqual({ started: true, testId: `${ID} (2)` });
  const other = { "X-Test-Id": encodeURIComponent(`${ID} (2)`) };
  expect(textOf(await client.call("create_ticket"))).toBe("TICKET-42");
  expect(textOf(await client.call("create_ticket", {}, other))).toBe("TICKET-42");
  await end(`${ID} (2)`);
  expect(await announce({ project: "jsdom", attempt: 2 })).toEqual({ started: true, testId: `${ID} (2)` });
});

test("a new attempt finds its entries unused, and its report knows only its own calls", async () => {
  const { mcp, client, announce, end } = await startAnnounced();
  mcp.loadFakes(block(ID, ["one", "two"]));
  await announce();
  await client.call("create_ticket");
  await client.call("create_ticket", { wrong: true });
  expect(await end()).toMatchObject({ report: { ok: false, failures: [{ code: "MCP_FAKE_MISMATCH" }] } });

  await announce({ attempt: 2 });
  const answers = [await client.call("create_ticket"), await client.call("create_ticket")];
  expect(answers.map(textOf)).toEqual(["one", "two"]);
  expect(await end()).toEqual({
    report: {
      testId: ID,
      context: null,
      ok: true,
      evicted: false,
      served: ["code#1:create_ticket#0", "code#1:create_ticket#1"].map((entryId) => ({
        entryId,
        mount: "/mcp",
        tool: "create_ticket",
        args: {},
      })),
      unconsumed: [],
      unusedFaults: [],
      unfaked: [],
      failures: [],
      refused: [],
      warnings: [],
      sharedUnconsumed: [],
      modelFailures: [],
      unasked: [],
    },
    calls: [
      expect.objectContaining({ tool: "create_ticket", outcome: "answered", entryId: "code#1:create_ticket#0" }),
      expect.objectContaining({ tool: "create_ticket", outcome: "answered", entryId: "code#1:create_ticket#1" }),
    ],
    reads: [],
    prompts: [],
    turns: [],
    pending: [],
  });
});

test("blocks that a test owns go when its attempt ends, others stay", async () => {
  const { control, client, announce, end } = await startAnnounced();
  await announce();
  const owner = encodeURIComponent(ID);
  await post(`${control}/fixtures?owner=${owner}`, { mcpFakes: block(ID, ["mine"]) });
  await post(`${control}/fixtures`, { mcpFakes: block(ID, ["everyone's"]) });
  expect(textOf(await client.call("create_ticket"))).toBe("mine");
  expect(await end()).toMatchObject({ report: { unconsumed: [{ entryId: "control-api#2:create_ticket#0" }] } });

  await announce({ attempt: 2 });
  expect(textOf(await client.call("create_ticket"))).toBe("everyone's");
});

test("the report of an announced test covers the contexts that its blocks and calls name", async () => {
  const { mcp, client, announce, end } = await startAnnounced();
  mcp.loadFakes([
    { ...block(ID, ["x"]), scope: { testId: ID, context: "first agent" } },
    { ...block(ID, ["x"]), scope: { testId: ID, context: "second agent" } },
  ]);
  await announce();
  await client.call("create_ticket", {}, { "X-AIMock-Context": encodeURIComponent("first agent") });
  expect(await end()).toMatchObject({
    report: {
      ok: false,
      served: [{ entryId: "code#1[0]:create_ticket#0" }],
      unconsumed: [{ entryId: "code#1[1]:create_ticket#0", file: "code#1" }],
    },
  });
});

test("a call after its test's end is refused, told in the log, and listed as late", async () => {
  const { llm, mcp, control, client, announce, end } = await startAnnounced();
  const logged: string[] = [];
  llm.setLogger({ error: (line) => void logged.push(line), warn() {}, info() {}, debug() {} });
  mcp.loadFakes(block(ID, ["x"]));
  mcp.onToolCall("free", () => "free");
  await announce();
  await end();
  const { error } = await client.call("create_ticket");
  const message = `aimock MCP test ended: tool "create_ticket" was called after its test had ended (testId "${ID}"). Await everything that the agent does before the test returns.`;
  const aimock = { code: "MCP_TEST_ENDED", tool: "create_ticket", testId: ID, context: null, mount: "/mcp" };
  expect(error).toEqual({ code: -31012, message, data: { aimock } });
  expect((await client.call("free")).error?.code).toBe(-31012);
  expect(logged[0]).toBe(`MCP-FAKE: test ended for tools/call create_ticket (testId "${ID}", mount /mcp): ${message}`);
  const { late, tests } = (await (await send(`${control}/tests`)).json()) as { late: unknown[]; tests: unknown[] };
  expect(late).toEqual([
    { url: "/mcp", tool: "create_ticket", client: "raw-client", testId: ID, timestamp: expect.any(Number) },
    { url: "/mcp", tool: "free", client: "raw-client", testId: ID, timestamp: expect.any(Number) },
  ]);
  expect(tests).toMatchObject([{ testId: ID, state: "ended", attempt: 1, calls: 2 }]);
});

test("so is a read or a use of a prompt; those without a test id are listed too", async () => {
  const { control, client, announce, end, mcpUrl } = await startAnnounced();
  await announce();
  await end();
  const ended = { code: -31012, data: { aimock: { code: "MCP_TEST_ENDED", resource: "docs://a" } } };
  expect((await client.request("resources/read", { uri: "docs://a" })).error).toMatchObject(ended);
  await client.request("prompts/get", { name: "greet" });
  await (await connect(mcpUrl)).request("resources/read", { uri: "docs://b" });
  expect(await (await send(`${control}/tests`)).json()).toMatchObject({
    untagged: [{ tool: null, resource: "docs://b", client: "raw-client", testId: null }],
    late: [
      { tool: null, resource: "docs://a", testId: ID },
      { tool: null, prompt: "greet", testId: ID },
    ],
  });
});

test("calls without a test id are listed with URL, tool and client", async () => {
  const { control, mcpUrl } = await startAnnounced();
  const client = await connect(mcpUrl);
  await client.call("create_ticket");
  expect(await (await send(`${control}/tests`)).json()).toMatchObject({
    untagged: [{ url: "/mcp", tool: "create_ticket", client: "raw-client", testId: null }],
  });
});

test("reset/test re-arms one test id and forgets its calls, and leaves the others alone", async () => {
  const { mcp, control, client } = await startAnnounced();
  mcp.loadFakes([block(ID, ["mine"]), block("other", ["theirs"])]);
  const asOther = { "X-Test-Id": "other" };
  await client.call("create_ticket");
  await client.call("create_ticket", {}, asOther);
  expect(await post(`${control}/reset/test?testId=${encodeURIComponent(ID)}`, {})).toEqual({ reset: true });
  expect(textOf(await client.call("create_ticket"))).toBe("mine");
  expect((await client.call("create_ticket", {}, asOther)).error?.code).toBe(-31010);
  const mine = (await (await send(`${control}/journal?testId=${encodeURIComponent(ID)}`)).json()) as object[];
  expect(mine).toMatchObject([{ mcp: { method: "tools/call" } }]);
  expect(await post(`${control}/reset/test`, {})).toEqual({ error: "Missing 'testId' query parameter" });
});

test("what a newer plugin tells beside is not kept, and cannot say how the test stands", async () => {
  const { control, announce } = await startAnnounced();
  await announce({ state: "ended", worker: 3 });
  const { tests } = (await (await send(`${control}/tests`)).json()) as { tests: object[] };
  expect(tests).toMatchObject([{ testId: ID, state: "running" }]);
  expect(tests[0]).not.toHaveProperty("worker");
});

test("a wrong announcement is refused with everything that is wrong with it", async () => {
  const { announce, end } = await startAnnounced();
  expect(await announce({ testId: "", file: 1, names: [], attempt: 0 })).toEqual({
    error:
      "Invalid 'testId': must be a non-empty string; Invalid 'file': must be a string; Invalid 'names': must be a non-empty array of strings; Invalid 'attempt': must be an integer of 1 or more",
  });
  expect(await end("never started")).toEqual({
    error: 'No running test "never started": announce it with POST /__aimock/tests first',
  });
  expect(await end("")).toEqual({ error: "Invalid 'testId': must be a non-empty string" });
});
