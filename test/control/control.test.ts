import { expect, test } from "vitest";
import { post, send } from "../_support/http.ts";
import { connect } from "../_support/mcp.ts";
import { startMock, startServer } from "../_support/server.ts";

const ticket = (testId: string, result = "TICKET-42") => ({
  scope: { testId },
  tools: [{ name: "create_ticket", calls: [{ args: { title: "Refund" }, result }] }],
});

const get = async (url: string): Promise<unknown> => (await send(url)).json();

test("health, and an unknown route", async () => {
  const { url } = await startServer();
  expect(await get(`${url}/__aimock/health`)).toEqual({ status: "ok" });
  const reply = await send(`${url}/__aimock/nope?x=1`);
  expect([reply.status, reply.json()]).toEqual([
    404,
    { error: { message: "Unknown control endpoint: /__aimock/nope", type: "not_found" } },
  ]);
});

test("a browser on this machine may use the control API", async () => {
  const { url } = await startServer();
  const preflight = await send(`${url}/__aimock/fixtures`, {
    method: "OPTIONS",
    headers: { Origin: "http://localhost:3000" },
  });
  expect([preflight.status, preflight.headers["access-control-allow-origin"]]).toEqual([204, "*"]);
});

test("blocks that are posted are served at their mounts, numbered per mount", async () => {
  const { url } = await startServer();
  const mcpFakes = [ticket("T"), { ...ticket("T"), mount: "/mcp/other" }, ticket("U")];
  expect(await post(`${url}/__aimock/fixtures`, { mcpFakes })).toEqual({
    added: 0,
    mcpFakesAdded: 3,
    blocks: [
      { mount: "/mcp", blockId: "control-api#1[0]" },
      { mount: "/mcp", blockId: "control-api#1[1]" },
      { mount: "/mcp/other", blockId: "control-api#1[0]" },
    ],
    warnings: [],
  });
  expect(await post(`${url}/__aimock/fixtures`, { mcpFakes: ticket("T") })).toMatchObject({ mcpFakesAdded: 1 });
  const client = await connect(`${url}/mcp/other?testId=T`);
  expect((await client.call("create_ticket", { title: "Refund" })).result).toEqual({
    content: [{ type: "text", text: "TICKET-42" }],
    isError: false,
  });
  const entry = (id: string, consumed: boolean) => ({ id, args: { title: "Refund" }, consumed });
  const block = (blockId: string, mount: string, consumed: boolean) => ({
    blockId,
    source: blockId.replace(/\[\d+\]/, ""),
    mount,
    scope: { testId: "T" },
    undeclaredTools: "allow",
    evicted: false,
    tools: [{ name: "create_ticket", entries: [entry(`${blockId}:create_ticket#0`, consumed)] }],
  });
  expect(await get(`${url}/__aimock/mcp/fakes?testId=T`)).toEqual({
    testId: "T",
    context: null,
    mounts: [
      { mount: "/mcp/other", blocks: [block("control-api#1[0]", "/mcp/other", true)] },
      { mount: "/mcp", blocks: [block("control-api#1[0]", "/mcp", false), block("control-api#2", "/mcp", false)] },
    ],
  });
});

test("a mount that fakes bring with them is told in the log", async () => {
  const { llm, url } = await startServer();
  const told: string[] = [];
  llm.setLogger({ error() {}, warn() {}, info: (line) => void told.push(line), debug() {} });
  await post(`${url}/__aimock/fixtures`, { mcpFakes: { ...ticket("T"), mount: "/mcp/new" } });
  await post(`${url}/__aimock/fixtures`, { mcpFakes: { ...ticket("T"), mount: "/mcp/new" } });
  expect(told).toEqual(['MCP fakes: auto-mounted an MCP mock at "/mcp/new"']);
});

test.each<[unknown, unknown]>([
  ["{", { error: expect.stringMatching(/^Invalid JSON: /) }],
  [{}, { error: 'Missing or invalid "fixtures" array' }],
  [{ fixtures: {} }, { error: 'Missing or invalid "fixtures" array' }],
  [
    { fixtures: [], mcpFake: {}, fixtureScope: "shared" },
    {
      error: "Unknown key: 'mcpFake', 'fixtureScope'. Supported: fixtures, fixturesScope, mcpFakes, $schema, _comment",
    },
  ],
  [
    { mcpFakes: [] },
    {
      error: "Validation failed",
      details: [
        {
          name: "FixtureLoadError",
          rule: "mcp-fakes/bad-block:i",
          file: "control-api#1",
          message: '"control-api#1": [mcp-fakes/bad-block:i] mcpFakes holds no blocks',
          blockId: null,
          entryId: null,
        },
      ],
    },
  ],
])("posting %j is answered 400 with every problem", async (body, answer) => {
  const { url } = await startServer();
  const reply = await send(`${url}/__aimock/fixtures`, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  expect([reply.status, reply.json()]).toEqual([400, answer]);
});

test("a post with one bad block adds nothing, and uses up no number", async () => {
  const { url } = await startServer();
  const bad = { tools: [{ name: "x", calls: [{ args: {}, result: "", extra: 1 }] }] };
  const refused = await post(`${url}/__aimock/fixtures`, { mcpFakes: [ticket("T"), bad] });
  expect(refused).toMatchObject({
    error: "Validation failed",
    details: [
      { rule: "mcp-fakes/bad-block:a", blockId: "control-api#1[1]" },
      { rule: "mcp-fakes/bad-block:h", blockId: "control-api#1[1]" },
    ],
  });
  await post(`${url}/__aimock/fixtures`, { mcpFakes: ticket("T") });
  expect(await get(`${url}/__aimock/mcp/fakes?testId=T`)).toMatchObject({
    mounts: [{ blocks: [{ blockId: "control-api#1" }] }],
  });
});

test("a block for a path that cannot serve it is a mount conflict", async () => {
  const { url } = await startServer({}, (llm) => {
    llm.mount("/v", { handle: () => undefined });
    llm.ensureMcpMount("/mcp");
  });
  const at = (mount: string) => ({ ...ticket("T"), mount });
  const answer = await post(`${url}/__aimock/fixtures`, {
    mcpFakes: [at("/v"), at("/mcp/"), at("/__aimock/x"), at("/v/below")],
  });
  const conflict = (detail: string) => ({
    name: "FixtureLoadError",
    rule: "mcp-fakes/mount-conflict",
    file: null,
    message: `<no file>: [mcp-fakes/mount-conflict] ${detail}`,
    blockId: null,
    entryId: null,
  });
  expect(answer).toEqual({
    error: "Validation failed",
    details: [
      conflict('mcpFakes[0]: mount "/v" is served by "/v", which is not an MCP mock, so its fakes cannot be served'),
      conflict(
        'mcpFakes[1]: mount "/mcp/" is answered by the MCP mock at "/mcp" as its root, so its fakes cannot be served',
      ),
      conflict(
        'mcpFakes[2]: mount "/__aimock/x" is under the control API prefix "/__aimock", which takes its requests first, so its fakes cannot be served',
      ),
      conflict(
        'mcpFakes[3]: mount "/v/below" is served by "/v", which is not an MCP mock, so its fakes cannot be served',
      ),
    ],
  });
});

test("unknown and bad parameters are refused with the good ones", async () => {
  const { url } = await startMock();
  const answers = await Promise.all(
    [
      "/mcp/fakes?testid=T",
      "/mcp/fakes?mount=/nope",
      "/mcp/fakes/report?mount=/mcp",
      "/journal?statusCode=1",
      "/journal?limit=-1",
      "/journal?offset=x",
      "/journal?status=2xx",
      "/tests?x=1",
      "/mcp/fakes?testId=a&context=b&testId=c",
      "/fixtures?include=blocks",
    ].map(async (path) => {
      const reply = await send(`${url}/__aimock${path}`);
      return [reply.status, reply.json()];
    }),
  );
  expect(answers).toEqual([
    [400, { error: "Unknown query parameter: 'testid'. Supported: testId, context, mount" }],
    [404, { error: 'No MCP mount at "/nope"' }],
    [400, { error: "Unknown query parameter: 'mount'. Supported: testId, context" }],
    [
      400,
      {
        error:
          "Unknown query parameter: 'statusCode'. Supported: limit, offset, path, method, status, service, testId, requestId",
      },
    ],
    [400, { error: "Invalid 'limit': must be an integer >= 0" }],
    [400, { error: "Invalid 'offset': must be an integer >= 0" }],
    [400, { error: "Invalid 'status': must be an integer" }],
    [400, { error: "Unknown query parameter: 'x'. Supported: none" }],
    [400, { error: "Duplicate query parameter: 'testId', 2 values sent, expected one" }],
    [400, { error: "Invalid 'include': expected 'fixtures'" }],
  ]);
});

test("the reset doors: what each forgets, and what it keeps", async () => {
  const { url, mcpUrl } = await startMock();
  const reset = async (path: string, method = "POST") => {
    const reply = await send(`${url}/__aimock${path}`, { method });
    expect(reply.headers.deprecation).toBe(path === "/reset/fixtures" ? "true" : undefined);
    return reply.json();
  };
  const blocks = async () =>
    JSON.stringify(await get(`${url}/__aimock/mcp/fakes?testId=T`)).split('"blockId"').length - 1;
  const journaled = async () => ((await get(`${url}/__aimock/journal`)) as unknown[]).length > 0;
  const arrange = async () => {
    await post(`${url}/__aimock/fixtures`, { mcpFakes: ticket("T") });
    await connect(mcpUrl);
  };

  await arrange();
  expect(await reset("/reset/journal")).toEqual({ reset: true });
  expect([await blocks(), await journaled()]).toEqual([1, false]);
  await arrange();
  expect(await reset("/reset/fixtures")).toEqual({
    reset: true,
    deprecated: true,
    deprecation:
      "POST /__aimock/reset/fixtures is deprecated; use POST /__aimock/reset (full reset) or POST /__aimock/reset/journal (journal only)",
  });
  expect([await blocks(), await journaled()]).toEqual([0, true]);
  await arrange();
  expect(await reset("/fixtures", "DELETE")).toEqual({ cleared: true });
  expect([await blocks(), await journaled()]).toEqual([0, true]);
  await arrange();
  expect(await reset("/reset")).toEqual({ reset: true });
  expect([await blocks(), await journaled()]).toEqual([0, false]);
});

test("after a reset sessions go on, block numbers too, and what was used is unused", async () => {
  const { llm, url, mcpUrl } = await startMock();
  const client = await connect(mcpUrl, { headers: { "X-Test-Id": "T" } });
  const doors = [
    () => post(`${url}/__aimock/reset`, {}),
    () => post(`${url}/__aimock/reset/fixtures`, {}),
    () => send(`${url}/__aimock/fixtures`, { method: "DELETE" }),
    () => llm.reset(),
    () => llm.clearFixtures(),
  ];
  for (const [index, reset] of doors.entries()) {
    const { result } = await post(`${url}/__aimock/fixtures`, { mcpFakes: ticket("T") }).then(() =>
      client.call("create_ticket", { title: "Refund" }),
    );
    expect(result).toMatchObject({ content: [{ text: "TICKET-42" }] });
    expect(await get(`${url}/__aimock/mcp/fakes?testId=T`)).toMatchObject({
      mounts: [{ blocks: [{ blockId: `control-api#${index + 1}` }] }],
    });
    await reset();
    expect(llm.fakesReport("T")).toMatchObject({ unconsumed: [] });
  }
});

test("a reset in code forgets how commands stand, as one over HTTP does", async () => {
  const { llm, url } = await startServer();
  const claim = () => post(`${url}/__aimock/cli/claim`, { testId: "T", command: "git" });
  expect(await claim()).toEqual({ callIndex: 0, state: "start" });
  expect(await claim()).toEqual({ callIndex: 1, state: "start" });
  llm.reset();
  expect(await claim()).toEqual({ callIndex: 0, state: "start" });
  await post(`${url}/__aimock/reset`, {});
  expect(await claim()).toEqual({ callIndex: 0, state: "start" });
});

test("what is asked of the control API, and of nobody, is not journaled", async () => {
  const { url } = await startMock();
  await send(`${url}/__aimock/health`);
  await send(`${url}/nowhere`, { method: "POST", body: "{}" });
  await send(`${url}/mcp/below`);
  expect(await get(`${url}/__aimock/journal`)).toEqual([]);
});

test("blocks are removed by id, or by the test that they are scoped to", async () => {
  const { url } = await startServer();
  await post(`${url}/__aimock/fixtures`, { mcpFakes: [ticket("T"), ticket("T"), ticket("U")] });
  const remove = async (query: string) => {
    const reply = await send(`${url}/__aimock/mcp/fakes${query}`, { method: "DELETE" });
    return [reply.status, reply.json()];
  };
  const id = encodeURIComponent("control-api#1[0]");
  expect(await remove(`?blockId=${id}`)).toEqual([200, { removed: 1 }]);
  expect(await remove(`?blockId=${id}`)).toEqual([404, { error: 'No block "control-api#1[0]"' }]);
  expect(await remove("?testId=T")).toEqual([200, { removed: 1 }]);
  expect(await remove("?testId=T")).toEqual([200, { removed: 0 }]);
  expect(await remove("")).toEqual([
    400,
    { error: "Expected one of 'blockId' and 'testId': which block, or which test's blocks, to remove" },
  ]);
  expect(await get(`${url}/__aimock/mcp/fakes?testId=U`)).toMatchObject({
    mounts: [{ blocks: [{ blockId: "control-api#1[2]" }] }],
  });
});
