import { PassThrough } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { readConfig } from "../../src/cli/config.ts";
import { mountConfigured } from "../../src/cli/config-mcp.ts";
import { LLMock, MCPMock, type McpServerFault } from "../../src/index.ts";
import { connect, stateless } from "../_support/mcp.ts";
import { LOSING_FAULTS, OFFICIAL_CLIENTS, SOON } from "../_support/official-clients.ts";
import { startServer } from "../_support/server.ts";
import { tempFile } from "../_support/temp.ts";
import { problemsOf, thrownBy } from "../_support/thrown.ts";
import { takeProblems } from "../_support/wire-check.ts";

// These servers misbehave on purpose.
afterEach(() => void takeProblems());

async function start(...faults: McpServerFault[]): Promise<{ mcp: MCPMock; llm: LLMock; url: string }> {
  const mcp = new MCPMock({ faults });
  for (const name of ["order", "refund"]) mcp.addTool({ name, inputSchema: { type: "object" } });
  const { llm, url } = await startServer({}, (server) => server.mount("/mcp", mcp));
  return { mcp, llm, url: `${url}/mcp` };
}

/** Which faults the requests of a method met, in order. */
function faultsOf(llm: LLMock, method: string): (string | undefined)[] {
  return llm.getRequests().flatMap(({ mcp }) => (mcp?.method === method ? [mcp.fault] : []));
}

describe.each(OFFICIAL_CLIENTS)("$name", ({ name, open }) => {
  test.each(LOSING_FAULTS)("a list that ends in %s fails once; the server stays well", async (fault) => {
    const { llm, url } = await start({ method: "tools/list", callIndex: 1, fault });
    const client = await open(url);
    expect(await client.list()).toHaveLength(2);
    await expect(client.list(SOON)).rejects.toThrow();
    expect(await client.list()).toHaveLength(2);
    expect(await (await open(url)).list()).toHaveLength(2);
    expect(faultsOf(llm, "tools/list")).toEqual([undefined, fault, undefined, undefined]);
  });

  const opening = name.endsWith("stateless") ? "server/discover" : "initialize";

  test.each([...LOSING_FAULTS, "wrong-version"] as const)("a handshake that ends in %s fails once", async (fault) => {
    const { llm, mcp, url } = await start({ method: opening, callIndex: 0, fault });
    await expect(open(url, SOON)).rejects.toThrow();
    // A client that will have nothing of the version leaves the session that it was given.
    expect(mcp.health().sessions).toBe(fault === "wrong-version" && opening === "initialize" ? 1 : 0);
    expect(await (await open(url)).list()).toHaveLength(2);
    expect(faultsOf(llm, opening)).toEqual([fault, undefined]);
  });

  test("a tool may be missing from the list, or be there twice", async () => {
    const { url } = await start(
      { method: "tools/list", callIndex: 0, fault: "tool-gone", tool: "refund" },
      { method: "tools/list", callIndex: 1, fault: "duplicate-tool" },
    );
    const client = await open(url);
    expect((await client.list()).map((tool) => tool.name)).toEqual(["order"]);
    expect((await client.list()).map((tool) => tool.name)).toEqual(["order", "order", "refund"]);
  });

  test("a call that the server's fault befalls leaves its fake for the next one", async () => {
    const { mcp, llm, url } = await start({ method: "tools/call", tool: "order", callIndex: 1, fault: "http-503" });
    const calls = [1, 2].map((number) => ({ anyArgs: true, result: `TICKET-${number}` }) as const);
    mcp.loadFakes({ scope: "shared", tools: [{ name: "order", calls }] });
    const client = await open(url);
    await client.call("refund");
    expect(await client.call("order")).toMatchObject({ content: [{ text: "TICKET-1" }] });
    await expect(client.call("order", SOON)).rejects.toThrow();
    expect(await client.call("order")).toMatchObject({ content: [{ text: "TICKET-2" }] });
    const seen = llm.getRequests().flatMap(({ mcp: facts }) => facts?.call ?? []);
    expect(seen.map(({ tool, fault }) => [tool, fault])).toEqual([
      ["refund", undefined],
      ["order", undefined],
      ["order", "http-503"],
      ["order", undefined],
    ]);
    expect(llm.fakesReport()).toMatchObject({ failures: [], sharedUnconsumed: [] });
  });

  test("a method without a fault may only be late", async () => {
    const { url } = await start({ method: "tools/list", delayMs: 60 });
    const client = await open(url);
    const startedAt = performance.now();
    expect(await client.list()).toHaveLength(2);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(59);
  });
});

test("a session that expires with any request is unknown from then on", async () => {
  const { mcp, llm, url } = await start({ method: "tools/list", callIndex: 0, fault: "expire-session" });
  const client = await OFFICIAL_CLIENTS[0]?.open(url);
  await expect(client?.list()).rejects.toThrow("Session not found");
  await expect(client?.list()).rejects.toThrow("Session not found");
  expect(mcp.health().sessions).toBe(0);
  expect(faultsOf(llm, "tools/list")).toEqual(["expire-session"]);
});

test("a cursor that came is refused, and one that is given out leads nowhere", async () => {
  const { url } = await start({ method: "tools/list", callIndex: 0, fault: "bad-cursor" });
  const client = await connect(url);
  const first = await client.request("tools/list");
  expect(first.result).toMatchObject({ tools: [{ name: "order" }, { name: "refund" }] });
  const cursor = first.result?.nextCursor;
  expect((await client.request("tools/list", { cursor })).error).toEqual({
    code: -32602,
    message: `Invalid cursor "${cursor}": use the nextCursor of an earlier page`,
  });
  const paged = await start({ method: "prompts/list", fault: "bad-cursor" });
  paged.mcp.addPrompt({ name: "a" });
  const refused = await (await connect(paged.url)).request("prompts/list", { cursor: "cHJvbXB0czow" });
  expect(refused.error?.message).toContain("Invalid cursor");
});

test("each test counts its own requests, anew after a reset, and a scoped block is its test's alone", async () => {
  const { mcp, llm, url } = await start({ method: "ping", callIndex: 1, fault: "http-500" });
  const faults = [{ method: "ping", callIndex: 0, fault: "http-429" }] as const;
  mcp.loadFakes({ scope: { testId: "b" }, tools: [], faults });
  const [a, b] = await Promise.all(["a", "b"].map((testId) => connect(`${url}?testId=${testId}`)));
  const pings = async (client = a) => (await client?.post({ jsonrpc: "2.0", id: 1, method: "ping" }))?.status;
  expect([await pings(a), await pings(b), await pings(a), await pings(b), await pings(a)]).toEqual([
    200, 429, 500, 500, 200,
  ]);
  llm.resetMatchCounts("a");
  expect([await pings(a), await pings(a), await pings(b)]).toEqual([200, 500, 200]);
});

test("a raw reply may be bytes, or the frames of an event stream, at once or slowly", async () => {
  const answer = { jsonrpc: "2.0", id: 2, result: {} };
  const { url } = await start(
    { method: "ping", callIndex: 0, fault: { status: 299, base64: "AP8=", headers: { "content-type": "image/png" } } },
    {
      method: "ping",
      callIndex: 1,
      fault: { events: [": hello\n\n", { id: "1", data: answer }, "data: {"], overMs: 30 },
    },
  );
  const ping = (id: number) => stateless(url, "ping", { id, headers: {} });
  const client = await connect(url);
  const bytes = await client.post({ jsonrpc: "2.0", id: 1, method: "ping" });
  expect([bytes.status, bytes.headers["content-type"], bytes.text]).toEqual([299, "image/png", "\u0000\ufffd"]);
  const events = await client.post({ jsonrpc: "2.0", id: 2, method: "ping" });
  expect(events.headers["content-type"]).toBe("text/event-stream");
  expect(events.text).toBe(`: hello\n\nid: 1\ndata: ${JSON.stringify(answer)}\n\ndata: {`);
  expect((await ping(3)).status).toBe(404);
});

test("a subscription may be refused, or only come late", async () => {
  const { llm, url } = await start(
    { method: "subscriptions/listen", callIndex: 0, fault: "http-503" },
    { method: "subscriptions/listen", callIndex: 1, delayMs: 20 },
  );
  const listen = { params: { notifications: { toolsListChanged: true } } };
  expect((await stateless(url, "subscriptions/listen", listen)).status).toBe(503);
  const open = stateless(url, "subscriptions/listen", listen);
  await expect.poll(() => faultsOf(llm, "subscriptions/listen")).toEqual(["http-503", undefined]);
  await llm.stop();
  expect((await open).text).toContain("notifications/subscriptions/acknowledged");
});

test("on stdio, what needs a status is an error that says so; the connection ends where HTTP's would", async () => {
  const faults = ["http-503", "bad-json", "wrong-id", "hang", "cut-stream"] as const;
  const mcp = new MCPMock({ faults: faults.map((fault, callIndex) => ({ method: "ping", callIndex, fault })) });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = mcp.serveStdio({ input, output });
  for (let id = 0; id < 7; id++)
    input.write(`${JSON.stringify(id === 0 ? INITIALIZE : { jsonrpc: "2.0", id, method: "ping" })}\n`);
  await served;
  const why = "Fault on purpose: http-503, as an error, since this connection has no HTTP statuses";
  expect(String(output.read()).trim().split("\n").slice(1)).toEqual([
    JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32000, message: why } }),
    '{"jsonrpc":"2.0","',
    '{"jsonrpc":"2.0","id":"not-the-id-that-was-asked-with","result":{}}',
    '{"jsonrpc":"2.0","',
  ]);
});

test("a stdio client whose handshake went wrong may try again", async () => {
  const mcp = new MCPMock({ faults: [{ method: "initialize", callIndex: 0, fault: "http-500" }] });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = mcp.serveStdio({ input, output });
  input.end(`${JSON.stringify(INITIALIZE)}\n${JSON.stringify({ ...INITIALIZE, id: 1 })}\n`);
  await served;
  const [refused, welcomed] = String(output.read())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(refused.error.message).toContain("http-500");
  expect(welcomed).toMatchObject({ id: 1, result: { protocolVersion: "2025-11-25" } });
});

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "lines", version: "1" } },
};

const WRONG = [
  { method: "tools/lists", fault: "reset" },
  { method: "tools/list" },
  { method: "tools/list", fault: "wrong-version" },
  { method: "ping", fault: { body: "a", base64: "YQ==" }, callIndex: -1 },
  { method: "ping", tool: "order", delayMs: 1 },
] as unknown as McpServerFault[];

const PROBLEMS = [
  /^faults\[0\]\.method got "tools\/lists" \(the closest is "tools\/list"\), but must be "initialize", /,
  /^faults\[1\] needs fault, delayMs or both$/,
  /^faults\[2\]\.fault befalls initialize and server\/discover alone, got "wrong-version" of tools\/list$/,
  /^faults\[3\]\.callIndex must be at least 0, got -1$/,
  /^faults\[3\]\.fault has more than one of body \/ base64 \/ events$/,
  /^faults\[4\]\.tool has no meaning with ping: it goes with tools\/call, tool-gone and duplicate-tool$/,
];

test("faults that make no sense are refused, all at once, in code and in files of both dialects", async () => {
  const matches = PROBLEMS.map((problem) => expect.stringMatching(problem));
  const inCode = String(thrownBy(() => new MCPMock({ faults: WRONG }))).replace("TypeError: MCPMock options: ", "");
  expect(inCode.split("; ").sort()).toEqual(matches);
  const inBlock = problemsOf(() => new MCPMock().loadFakes({ scope: "shared", tools: [], faults: WRONG }));
  expect(inBlock.map((problem) => problem.slice(problem.indexOf("faults["))).sort()).toEqual(matches);
  const inMock = problemsOf(() => new LLMock().loadFixtureFile(tempFile("a.json", { faults: WRONG })));
  expect(inMock.map((problem) => problem.slice(problem.indexOf("faults["))).sort()).toEqual(matches);
});

test("a file of the second dialect and a config file may hold faults", async () => {
  const faults = [{ method: "tools/list", callIndex: 0, fault: "http-500" }];
  const tools = [{ name: "order" }];
  const { llm, url } = await startServer({}, (server) => server.loadFixtureFile(tempFile("a.json", { tools, faults })));
  for (const section of readConfig(tempFile("c.json", { mcp: { path: "/b", tools, faults } })).mcp)
    mountConfigured(llm, section);
  for (const mount of ["/mcp", "/b"]) {
    const client = await connect(url + mount);
    const list = async () => (await client.post({ jsonrpc: "2.0", id: 1, method: "tools/list" })).status;
    expect([mount, await list(), await list()]).toEqual([mount, 500, 200]);
  }
});
