import { describe, expect, test } from "vitest";
import { MCPMock, type McpFakeBlock, type McpFakePromptCall, type McpFakeRead } from "../../src/index.ts";
import { connect as connectRaw } from "../_support/mcp.ts";
import { startMock, startServer } from "../_support/server.ts";
import { problemsOf } from "../_support/thrown.ts";
import { takeProblems } from "../_support/wire-check.ts";
import { WIRES } from "../_support/wires.ts";

const URI = "docs://readme";

/** A mock with these scripted reads and uses. */
function mockOf({ reads, calls }: { reads?: McpFakeRead[]; calls?: McpFakePromptCall[] }): MCPMock {
  const mcp = new MCPMock({ sse: true });
  mcp.loadFakes({
    scope: "shared",
    ...(reads && { resources: [{ uri: URI, mimeType: "text/markdown", reads }] }),
    ...(calls && { prompts: [{ name: "summarize", description: "Summarizes", calls }] }),
  });
  return mcp;
}

const said = (text: string, role: "user" | "assistant" = "user") => ({ role, content: { type: "text", text } });

describe.each(WIRES)("$name", ({ connect }) => {
  test("a scripted resource is listed, read in order, once each, and then exhausted", async () => {
    const reads = [{ result: "one" }, { result: { blob: "AAAA", mimeType: "image/png" } }, { error: "disk full" }];
    const { client } = await connect(mockOf({ reads }));
    expect((await client.listResources()).resources).toEqual([{ uri: URI, name: URI, mimeType: "text/markdown" }]);
    const read = async () => (await client.readResource({ uri: URI })).contents;
    expect(await read()).toEqual([{ uri: URI, mimeType: "text/markdown", text: "one" }]);
    expect(await read()).toEqual([{ uri: URI, mimeType: "image/png", blob: "AAAA" }]);
    await expect(read()).rejects.toMatchObject({ code: -32603, message: expect.stringContaining("disk full") });
    const exhausted = { code: "MCP_FAKE_EXHAUSTED", resource: URI, matchingDeclared: 3 };
    await expect(read()).rejects.toMatchObject({ code: -31010, data: { aimock: exhausted } });
  });

  test("a scripted prompt is listed, and fetched by its arguments", async () => {
    const calls = [{ args: { text: "it" }, result: "Summarize: it" }, { result: [said("Anything", "assistant")] }];
    const { client } = await connect(mockOf({ calls }));
    expect((await client.listPrompts()).prompts).toEqual([{ name: "summarize", description: "Summarizes" }]);
    const get = async (args?: Record<string, string>) =>
      client.getPrompt({ name: "summarize", ...(args && { arguments: args }) });
    expect(await get({ text: "other" })).toMatchObject({ messages: [said("Anything", "assistant")] });
    expect(await get({ text: "it" })).toMatchObject({ description: "Summarizes", messages: [said("Summarize: it")] });
    await expect(get({ text: "it" })).rejects.toMatchObject({ data: { aimock: { prompt: "summarize" } } });
  });

  test("a read reports progress before its answer, and can be a protocol error", async () => {
    const reads = [
      { steps: [{ progress: 1, total: 2 }, { delayMs: 20 }], result: "slow" },
      { protocolError: { code: -32002, message: "gone" } },
    ];
    const { client } = await connect(mockOf({ reads }));
    const seen: object[] = [];
    await client.readResource({ uri: URI }, { onprogress: (each) => seen.push(each) });
    expect(seen).toEqual([{ progress: 1, total: 2 }]);
    await expect(client.readResource({ uri: URI })).rejects.toMatchObject({ code: -32002 });
  });
});

describe.each(WIRES.filter(({ elicits }) => elicits))("$name", ({ connect }) => {
  test("a prompt asks the client before it answers, and is used once", async () => {
    const question = { message: "Which?", requestedSchema: { type: "object", properties: {} } };
    const mcp = mockOf({ calls: [{ steps: [{ elicit: question, expect: { action: "accept" } }], result: "So" }] });
    const { client } = await connect(mcp, { elicit: () => ({ action: "accept", content: {} }) });
    expect(await client.getPrompt({ name: "summarize" })).toMatchObject({ messages: [said("So")] });
    expect(mcp.fakesReport()).toMatchObject({ served: [{ prompt: "summarize", args: {} }], failures: [] });
  });
});

test("each test has its own answers, the most specific scope's, and what was used is its own", async () => {
  const block = (scope: McpFakeBlock["scope"], result: string): McpFakeBlock => ({
    scope,
    resources: [{ uri: URI, reads: [{ result }] }],
    prompts: [{ name: "greet", calls: [{ result }] }],
  });
  const { mcp, mcpUrl } = await startMock();
  mcp.addResource({ uri: URI, name: "README" }, { text: "from code" });
  mcp.loadFakes([block({ testId: "a" }, "of a"), block({ testId: "b" }, "of b"), block("shared", "of all")]);
  const ask = async (testId: string) => {
    const client = await connectRaw(`${mcpUrl}?testId=${testId}`);
    const { result: read, error } = await client.request("resources/read", { uri: URI });
    const { result: got } = await client.request("prompts/get", { name: "greet" });
    return { read: read?.contents ?? error?.data?.aimock.code, got: got?.messages };
  };
  expect(await Promise.all(["a", "b", "c"].map(ask))).toMatchObject([
    { read: [{ text: "of a" }], got: [said("of a")] },
    { read: [{ text: "of b" }], got: [said("of b")] },
    { read: [{ text: "of all" }], got: [said("of all")] },
  ]);
  expect(await ask("a")).toEqual({ read: "MCP_FAKE_EXHAUSTED", got: undefined });
  mcp.clearMcpFakes();
  expect(await ask("a")).toMatchObject({ read: [{ text: "from code" }] });
});

test("what a registered resource or prompt says of itself wins in lists, the fake answers", async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.addResource({ uri: URI, name: "README", mimeType: "text/plain" }, { text: "from code" });
  mcp.addPrompt({ name: "greet", description: "from code" }, () => ({ messages: [] }));
  mcp.loadFakes({
    scope: "shared",
    resources: [
      { uri: URI, name: "faked", reads: [{ result: "faked" }] },
      { uri: "docs://b", reads: [{ result: "b" }] },
    ],
    prompts: [{ name: "greet", description: "faked", calls: [{ result: "faked" }] }],
  });
  const client = await connectRaw(mcpUrl);
  expect((await client.request("resources/list")).result?.resources).toEqual([
    { uri: URI, name: "README", mimeType: "text/plain" },
    { uri: "docs://b", name: "docs://b" },
  ]);
  expect((await client.request("prompts/list")).result?.prompts).toEqual([{ name: "greet", description: "from code" }]);
  expect((await client.request("prompts/get", { name: "greet" })).result).toMatchObject({ messages: [said("faked")] });
});

test("the arguments of a scripted prompt can be completed, and have no values that nobody gives", async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.loadFakes({ scope: { testId: "a" }, prompts: [{ name: "greet", calls: [{ result: "Dear" }] }] });
  const complete = async (testId: string) => {
    const ref = { type: "ref/prompt", name: "greet" };
    const client = await connectRaw(`${mcpUrl}?testId=${testId}`);
    return client.request("completion/complete", { ref, argument: { name: "who", value: "A" } });
  };
  expect((await complete("a")).result).toEqual({ completion: { values: [], total: 0, hasMore: false } });
  expect((await complete("b")).error?.message).toBe('Invalid params: nothing is registered as "greet"');
  mcp.onComplete({ prompt: "greet" }, () => ["Ada"]);
  expect((await complete("a")).result).toMatchObject({ completion: { values: ["Ada"] } });
});

test("a lost read is owed to the client that tries again", async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.loadFakes({
    scope: "shared",
    resources: [{ uri: URI, reads: [{ fault: "reset", result: "first" }, { result: "second" }] }],
  });
  const client = await connectRaw(mcpUrl);
  await expect(client.request("resources/read", { uri: URI })).rejects.toThrow();
  const texts = [1, 2].map(async () => (await client.request("resources/read", { uri: URI })).result?.contents);
  expect(await Promise.all(texts)).toMatchObject([[{ text: "first" }], [{ text: "second" }]]);
  const reads = mcp.getRequests().flatMap(({ mcp: facts }) => facts?.read ?? []);
  expect(reads.map(({ entryId, fault }) => [entryId, fault])).toEqual([
    ["code#1:resources/docs://readme#0", "reset"],
    ["code#1:resources/docs://readme#0", undefined],
    ["code#1:resources/docs://readme#1", undefined],
  ]);
});

test("the report, the blocks and the journal tell of reads and prompts", async () => {
  const { url } = await startServer({}, (llm) => llm.loadFixtureFile("fixtures/handbook/onboarding.json"));
  const client = await connectRaw(`${url}/mcp?testId=${encodeURIComponent("handbook › welcome mail")}`);
  await client.request("resources/read", { uri: "handbook://holidays" });
  const missed = await client.request("prompts/get", { name: "welcome", arguments: { who: "ada" } });
  expect(missed.error?.message).toBe(
    'aimock MCP fake mismatch: prompt "welcome" was fetched with arguments that match no declared fake (testId "handbook › welcome mail"). Received {"who":"ada"}. Declared: fixtures/handbook/onboarding.json:prompts/welcome#0 {"who":"Ada"}; fixtures/handbook/onboarding.json:prompts/welcome#1 {"partialArgs":{"who":"Grace"}}.',
  );
  const query = `testId=${encodeURIComponent("handbook › welcome mail")}`;
  const get = async (path: string) => (await fetch(`${url}/__aimock${path}?${query}`)).json();
  const report = await get("/mcp/fakes/report");
  expect(report).toMatchObject({
    ok: false,
    served: [{ mount: "/mcp", resource: "handbook://holidays" }],
    failures: [{ code: "MCP_FAKE_MISMATCH", prompt: "welcome", args: { who: "ada" } }],
    unconsumed: [
      { entryId: "fixtures/handbook/onboarding.json:resources/handbook://holidays#1", resource: "handbook://holidays" },
      { entryId: "fixtures/handbook/onboarding.json:prompts/welcome#0", prompt: "welcome", args: { who: "Ada" } },
      { entryId: "fixtures/handbook/onboarding.json:prompts/welcome#1", prompt: "welcome" },
    ],
  });
  const { mounts } = (await get("/mcp/fakes")) as { mounts: { mount: string; blocks: object[] }[] };
  expect(mounts.find(({ mount }) => mount === "/mcp")?.blocks).toMatchObject([
    {
      tools: [],
      resources: [{ uri: "handbook://holidays", entries: [{ anyArgs: true, consumed: true }, { consumed: false }] }],
      prompts: [{ name: "welcome", entries: [{ args: { who: "Ada" }, consumed: false }, {}] }],
    },
  ]);
  const journal = (await get("/journal")) as { response: object; mcp: { method: string } }[];
  expect(journal.find(({ mcp }) => mcp?.method === "prompts/get")?.response).toMatchObject({
    mcpFake: { id: null, outcome: "mismatch" },
  });
});

test("a resource or prompt that nobody knows is told as such", async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.loadFakes({ scope: "shared", resources: [{ uri: URI, reads: [{ result: "x" }] }] });
  const client = await connectRaw(mcpUrl);
  await client.request("resources/read", { uri: "docs://redme" });
  await client.request("prompts/get", { name: "greet", arguments: {} });
  expect(mcp.fakesReport().unfaked).toEqual([
    {
      mount: "/mcp",
      resource: "docs://redme",
      answeredBy: "unknown-resource",
      nearMiss: {
        entryId: "code#1:resources/docs://readme#0",
        resource: "docs://readme",
        reasons: [
          { kind: "wrong-resource", text: 'the resource "docs://readme" is declared, "docs://redme" was read' },
        ],
      },
    },
    { mount: "/mcp", prompt: "greet", args: {}, answeredBy: "unknown-prompt" },
  ]);
});

test("what no server could answer is refused, all of it at once", () => {
  const reads = [
    { result: [{ text: 1 }, { text: "a", blob: "b" }] },
    { result: { content: [] } },
    { args: {}, result: "x" },
    { fault: "tool-gone" },
  ];
  const resources = [
    { uri: URI, size: "big", reads },
    { name: "no uri", reads: [] },
  ];
  const message = { role: "system", content: { type: "text" } };
  const prompts = [
    { name: "greet", calls: [{ result: [message] }] },
    { name: "who", arguments: [{ name: "who", required: true }], calls: [{ args: { whom: 5 }, result: "x" }] },
    { name: "who", arguments: [{ title: "x" }], calls: [{ anyArgs: true, args: {}, result: 5 }] },
  ];
  expect(refusalsOf({ scope: "shared", resources, prompts })).toEqual([
    'g] resource "docs://readme" size must be an integer, got "big"',
    'd] resource "docs://readme" reads[0] result.contents[0].text must be a string, got 1 (unsafe: true allows it)',
    'd] resource "docs://readme" reads[0] result.contents[1].blob must be base64 text (unsafe: true allows it)',
    'd] resource "docs://readme" reads[0] result.contents[1] needs exactly one of text / blob (unsafe: true allows it)',
    'd] resource "docs://readme" reads[1] result must be a string, a content (text or blob), an array of contents or an object with contents, got {"content":[]}',
    'h] resource "docs://readme" reads[2] has unknown key "args"',
    'd] resource "docs://readme" reads[3] fault "tool-gone" befalls tools/list and tools/call alone, not resources/read',
    "g] resources[1] needs a string uri, got undefined",
    "g] resources[1] reads must be a non-empty array, got []",
    'd] prompt "greet" calls[0] result.messages[0].role must be "user" or "assistant", got "system" (unsafe: true allows it)',
    'd] prompt "greet" calls[0] result.messages[0].content.text must be a string, got undefined (unsafe: true allows it)',
    `d] prompt "who" calls[0] args does not fit the prompt's arguments: $.whom is none of them (unsafe: true allows it)`,
    `d] prompt "who" calls[0] args does not fit the prompt's arguments: $.who is required (unsafe: true allows it)`,
    'e] prompt "who" is declared twice in one block',
    'g] prompt "who" arguments[0].name is missing; it must be a string',
    'd] prompt "who" calls[0] needs exactly one of args / anyArgs',
    'd] prompt "who" calls[0] result must be a string, an array of messages or an object with messages, got 5',
  ]);
  expect(refusalsOf({ scope: "shared", resources: [] })).toEqual([
    "g] resources is empty; leave it out, or declare what it answers for",
  ]);
});

test("unsafe: true sends a result of any shape", async () => {
  const { mcp, mcpUrl } = await startMock();
  const reads = [{ unsafe: true as const, result: { contents: [{ n: 1 }] } }];
  mcp.loadFakes({ scope: "shared", resources: [{ uri: URI, reads }] });
  const client = await connectRaw(mcpUrl);
  const { result } = await client.request("resources/read", { uri: URI });
  expect(result).toEqual({ contents: [{ n: 1 }] });
  expect(takeProblems()).not.toEqual([]);
});

/** The details of all problems, each behind the letter of its rule. */
function refusalsOf(block: object): string[] {
  const problems = problemsOf(() => new MCPMock().loadFakes(block as McpFakeBlock));
  return problems.map((problem) => problem.slice(problem.indexOf("bad-block:") + "bad-block:".length));
}
