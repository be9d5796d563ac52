import { call, connect } from "./agent.ts";
import { failure } from "./failure.ts";
import { beforeAll, describe, expect, failing, mcp, test } from "./runner.ts";

const atModuleTop = { url: mcp.url, crm: mcp.urlOf("/crm"), llm: mcp.llm };

describe("what belongs to the run", () => {
  let inBeforeAll = "";
  let outside = "";

  beforeAll(() => {
    inBeforeAll = mcp.url;
    outside = failure(() => mcp.calls);
  });

  test("is there at the module's top and in beforeAll", () => {
    const { origin } = new URL(mcp.url);
    expect(atModuleTop.url).toBe(`${origin}/mcp`);
    expect(inBeforeAll).toBe(`${origin}/mcp`);
    expect(atModuleTop.crm).toBe(`${origin}/crm`);
    expect(atModuleTop.llm).toEqual({ url: origin, openai: `${origin}/v1`, anthropic: origin, gemini: origin });
    expect(process.env.OPENAI_BASE_URL).toBe(`${origin}/v1`);
    expect(process.env.ANTHROPIC_BASE_URL).toBe(origin);
  });

  test("and the rest is not", () => {
    expect(outside).toBe(
      "mcp.calls belongs to a running test and was used outside of one. No test is running here. " +
        "Use it inside test(), beforeEach() or afterEach(). mcp.url, mcp.urlOf() and mcp.llm work everywhere.",
    );
  });
});

describe("who", () => {
  test("testId, URLs and headers name › the test", () => {
    const id = "handle.test.ts › who › testId, URLs and headers name › the test";
    expect(mcp.testId).toBe(id);
    expect(mcp.taggedUrl).toBe(`${mcp.url}?testId=${encodeURIComponent(id)}`);
    expect(mcp.taggedUrlOf("/crm")).toBe(`${mcp.urlOf("/crm")}?testId=${encodeURIComponent(id)}`);
    expect(mcp.headers).toEqual({ "X-Test-Id": encodeURIComponent(id) });
  });

  test.each(["a", "b"])("two of one name", () => {
    expect(mcp.testId).toMatch(/^handle\.test\.ts › who › two of one name( \(2\))?$/);
  });
});

describe("fakes of the test's own", () => {
  test("fake() and what it did", async () => {
    const first = await mcp.fake("search", { id: "cats", args: { query: "cats" }, result: "3 cats" });
    const second = await mcp.fake(
      "search",
      { id: "any", anyArgs: true, result: "none" },
      { args: {}, error: "no query" },
    );
    expect(first).toEqual({ warnings: [] });
    expect(second.warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/ is shadowed until the preceding anyArgs entry ".*:any" is consumed$/),
    ]);
    for (const query of ["cats", "dogs"]) await call(mcp.url, "search", { query });
    await call(mcp.url, "search");
    const seen = mcp.calls.map(({ entryId, ...call }) => ({ ...call, entry: entryId?.replace(/.*:/, "") }));
    const answered = { tool: "search", mount: "/mcp", outcome: "answered", error: null };
    const text = (value: string, isError = false) => ({ content: [{ type: "text", text: value }], isError });
    expect(seen).toMatchObject([
      { ...answered, args: { query: "cats" }, entry: "cats", result: text("3 cats") },
      { ...answered, args: { query: "dogs" }, entry: "any", result: text("none") },
      { ...answered, args: {}, entry: "search#1", result: text("no query", true) },
    ]);
    const [{ startedAt, durationMs }] = mcp.calls;
    expect(Date.now() - startedAt).toBeLessThan(60_000);
    expect(durationMs).toBeGreaterThanOrEqual(0);
  });

  test.concurrent.each(["one", "two", "three"])("reads and prompts of its own, %s", async (name) => {
    await mcp.fake({ resource: "docs://readme" }, { delayMs: 20, result: name }, { error: `${name} is over` });
    await mcp.fake({ prompt: "greet" }, { args: { who: name }, result: `Dear ${name}` });
    const client = await connect(mcp.url);
    const read = () => client.readResource({ uri: "docs://readme" });
    expect((await read()).contents).toEqual([{ uri: "docs://readme", text: name }]);
    await expect(read()).rejects.toThrow(`${name} is over`);
    await client.getPrompt({ name: "greet", arguments: { who: name } });
    await client.close();
    expect(mcp.reads).toMatchObject([
      { resource: "docs://readme", outcome: "answered", error: null },
      { resource: "docs://readme", outcome: "answered", result: null, error: { message: `${name} is over` } },
    ]);
    expect(mcp.prompts).toMatchObject([{ prompt: "greet", args: { who: name }, outcome: "answered" }]);
    expect(mcp.calls).toEqual([]);
    expect(mcp).toHaveReadResource("docs://readme");
    expect(mcp).toHaveUsedPrompt("greet", { who: name });
    expect(mcp).toHaveConsumedAllFakes();
  });

  test("loadFakes(), on two mounts, with a scope of its own and without", async () => {
    const calls = [{ anyArgs: true as const, result: "yes" }];
    await mcp.loadFakes([
      { tools: [{ name: "ask", calls }] },
      { mount: "/crm", tools: [{ name: "ask", calls }] },
      { scope: "shared", tools: [{ name: "anyone", calls }] },
    ]);
    await call(mcp.url, "ask");
    await call(mcp.urlOf("/crm"), "ask");
    expect(mcp.calls.map(({ mount, outcome }) => [mount, outcome])).toEqual([
      ["/mcp", "answered"],
      ["/crm", "answered"],
    ]);
    expect(mcp.fakes().map(({ mount, blocks }) => [mount, blocks.map(({ scope }) => scope)])).toEqual([
      ["/mcp", [{ testId: mcp.testId }, "shared"]],
      ["/crm", [{ testId: mcp.testId }]],
    ]);
  });

  test("leave with the test that added them", async () => {
    expect(mcp.fakes()).toEqual([
      { mount: "/mcp", blocks: [] },
      { mount: "/crm", blocks: [] },
    ]);
  });

  test("are all refused when one is wrong, with every problem", async () => {
    const wrong = mcp.fake(
      "search",
      { args: {}, result: "fine" },
      { args: {} },
      { anyArgs: true, result: "a", error: "b" },
    );
    const error = await wrong.catch((reason) => reason);
    expect(error.message).toBe(`mcp.fake() added nothing, since not all of it can be honoured:
  - tool "search" calls[1] needs exactly one of result / error, or protocolError, timeout; fault alone or beside one
  - tool "search" calls[2] needs exactly one of result / error, or protocolError, timeout; fault alone or beside one`);
    await expect(mcp.fake("search", ...[])).rejects.toThrow('tool "search" calls must be a non-empty array, got []');
    const whole = mcp.fake("search", { args: {}, result: { content: "domain data" } as never });
    await expect(whole).rejects.toThrow(
      / is a whole tool result; data that has such a key goes into structuredContent/,
    );
    expect(error.stack.match(/^\s+at .*$/gm)[0]).toContain("handle.test.ts");
    const right = { tools: [{ name: "ask", calls: [{ anyArgs: true as const, result: "yes" }] }] };
    const unmatched = { tools: [{ name: "ask", calls: [{ id: 'a "b"', result: "yes" }] }] } as never;
    expect(
      await mcp.loadFakes([right, unmatched]).catch(({ message }) => message),
    ).toBe(`mcp.loadFakes() added nothing, since not all of it can be honoured:
  - block 2 of its mount: tool "ask" calls[0] needs exactly one of args / anyArgs, or conditions: partialArgs, argsMatch, argsSchema`);
    expect(mcp.fakes()[0].blocks).toEqual([]);
  });
});

test("loadFakes() refuses a block for another test", async () => {
  const tools = [{ name: "ask", calls: [{ anyArgs: true as const, result: "yes" }] }];
  const theirs = { scope: { testId: "handle.test.ts › another" }, tools };
  const error = await mcp.loadFakes([{ tools }, theirs]).catch((reason) => reason);
  expect(error.message).toBe(`mcp.loadFakes() added nothing, since not all of it can be honoured:
  - block 2 of its mount: scope.testId "handle.test.ts › another" names another test than "${mcp.testId}", which adds the block. Leave scope out to mean this test`);
});

test("loadFakes() says where scripted turns of models come from", async () => {
  const turns = { fixtures: [{ match: {}, response: { content: "Hi" } }], tools: [] } as never;
  const error = await mcp.loadFakes(turns).catch((reason) => reason);
  expect(error.message).toContain(
    '\n  - block has unknown key "fixtures". Scripted turns of models are no fakes: they come from fixture files (option fixtures) and the set-up module (option setup)\n',
  );
});

test("fake() refuses what names nothing that can be faked", () => {
  const misspelt = { resouce: "docs://readme" } as never;
  expect(failure(() => mcp.fake(misspelt))).toBe(
    'mcp.fake() takes the name of a tool, { resource: "<uri>" } or { prompt: "<name>" } first, got {"resouce":"docs://readme"}.',
  );
});

test("fake() refuses what JSON would change, and names each place", async () => {
  const args = { title: expect.any(String), since: new Date(0), tags: [undefined, Number.NaN] };
  const error = await mcp.fake("search", { args, result: { big: 1n } }).catch((reason) => reason);
  expect(error.message).toBe(`mcp.fake() added nothing, since JSON cannot carry all of it:
  - tools[0].calls[0].args.title must be plain JSON, got <an instance of Any>, which only expect() understands: say which arguments an entry takes with partialArgs, argsMatch or argsSchema
  - tools[0].calls[0].args.since must be plain JSON, got <an instance of Date>
  - tools[0].calls[0].args.tags[0] must be plain JSON, got undefined
  - tools[0].calls[0].args.tags[1] must be plain JSON, got NaN
  - tools[0].calls[0].result.big must be plain JSON, got 1n`);
  expect(mcp.fakes()[0].blocks).toEqual([]);
});

describe("views", () => {
  test("journal() and report()", async () => {
    await mcp.fake("search", { args: {}, result: "yes" });
    const client = await connect(mcp.url);
    await client.listTools();
    await client.callTool({ name: "search", arguments: {} });
    await client.close();
    const methods = mcp.journal({ method: "POST" }).map((entry) => entry.mcp?.method);
    expect(methods).toEqual(["initialize", "notifications/initialized", "tools/list", "tools/call"]);
    expect(mcp.journal({ limit: 1 })).toHaveLength(1);
    expect(mcp.report()).toMatchObject({ testId: mcp.testId, ok: true, served: [{ tool: "search" }], failures: [] });
  });

  test("reset() forgets calls and marks fakes unused", async () => {
    await mcp.fake("search", { args: {}, result: "yes" });
    await call(mcp.url, "search");
    expect(mcp).toHaveConsumedAllFakes();
    await mcp.reset();
    expect(mcp.calls).toEqual([]);
    expect(mcp).not.toHaveConsumedAllFakes();
    await call(mcp.url, "search");
    expect(mcp).toHaveCalledToolTimes("search", 1);
  });
});

describe("verify()", () => {
  test("failures: unused fakes are fine", async () => {
    mcp.verify("failures");
    await mcp.fake("search", { args: {}, result: "yes" });
  });

  test("off: everything is fine", async () => {
    mcp.verify("off");
    await call(mcp.url, "unknown");
  });

  failing("failures: an unknown tool is not", async () => {
    mcp.verify("failures");
    await call(mcp.url, "unknown");
  });

  test("takes no other word", () => {
    expect(failure(() => mcp.verify("none" as never))).toBe(
      'mcp.verify() takes "all", "failures" or "off", got "none".',
    );
  });
});

failing("a test that must fail takes a verdict for a failure", async () => {
  await mcp.fake("search", { args: {}, result: "never used" });
});
