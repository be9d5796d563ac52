import { call, connect } from "./agent.ts";
import { failure } from "./failure.ts";
import { describe, expect, mcp, test } from "./runner.ts";

const CATS = { query: "cats" };
const DOGS = { query: "dogs", limit: 5 };

// biome-ignore-start lint/suspicious/noIdenticalTestTitle: tests of one name have the same fakes
describe("the fakes", () => {
  test("of search", async () => {
    await call(mcp.url, "search", CATS);
    await call(mcp.url, "search", DOGS);
    expect(mcp).toHaveConsumedAllFakes();
    expect(mcp).toHaveNoFakeFailures();
    expect(failure(() => expect(mcp).not.toHaveConsumedAllFakes())).toBe(`expect(mcp).not.toHaveConsumedAllFakes()

Test: matchers.test.ts › the fakes › of search

No fake failed, and every fake was used.`);
    expect(failure(() => expect(mcp).not.toHaveNoFakeFailures())).toBe(`expect(mcp).not.toHaveNoFakeFailures()

Test: matchers.test.ts › the fakes › of search

No fake failed, and nothing unknown was asked for.`);
  });

  test("of search", async () => {
    await call(mcp.url, "search", CATS);
    expect(mcp).not.toHaveConsumedAllFakes();
    expect(mcp).toHaveNoFakeFailures();
    expect(failure(() => expect(mcp).toHaveConsumedAllFakes())).toBe(`expect(mcp).toHaveConsumedAllFakes()

Test: matchers.test.ts › the fakes › of search (2)

1 unused fake:
  id                arguments                   file
  search.json:dogs  {"query":"dogs","limit":5}  search.json`);
  });

  test("of search", async () => {
    await call(mcp.url, "search", CATS);
    await call(mcp.url, "search", CATS);
    await call(mcp.url, "search", { query: "dogs", limit: 3 });
    await call(mcp.url, "translate", CATS);
    expect(mcp).not.toHaveNoFakeFailures();
    expect(failure(() => expect(mcp).toHaveNoFakeFailures())).toBe(`expect(mcp).toHaveNoFakeFailures()

Test: matchers.test.ts › the fakes › of search (3)

2 fake failures:
  1. MCP_FAKE_EXHAUSTED: aimock MCP fake exhausted: tool "search" with {"query":"cats"} was called again, but the 1 matching fake is already used (testId "matchers.test.ts › the fakes › of search (3)").
  2. MCP_FAKE_MISMATCH: aimock MCP fake mismatch: tool "search" was called with arguments that match no declared fake (testId "matchers.test.ts › the fakes › of search (3)"). Received {"query":"dogs","limit":3}. Declared: search.json:cats {"query":"cats"}; search.json:dogs {"query":"dogs","limit":5}.
     $.limit: expected 5, received 3

1 call of an unknown tool:
  1. translate {"query":"cats"} on /mcp

1 unused fake:
  id                arguments                   file
  search.json:dogs  {"query":"dogs","limit":5}  search.json

The first mismatch, beside the closest fake:

- Expected
+ Received

  {
-   "limit": 5,
+   "limit": 3,
    "query": "dogs",
  }`);
  });
});

// biome-ignore-end lint/suspicious/noIdenticalTestTitle: tests of one name have the same fakes

describe("calls", () => {
  test("of one tool", async () => {
    expect(mcp).not.toHaveCalledTool("search");
    expect(
      failure(() => expect(mcp).toHaveCalledTool("search", CATS)),
    ).toBe(`expect(mcp).toHaveCalledTool("search", {"query":"cats"})

Test: matchers.test.ts › calls › of one tool

It was never called.

Tool calls: none.`);
    await call(mcp.url, "search", { query: "dogs" });
    await call(mcp.url, "search", CATS);
    expect(mcp).toHaveCalledTool("search");
    expect(mcp).toHaveCalledTool("search", { query: expect.stringMatching(/^c/) });
    expect(mcp).not.toHaveCalledTool("search", {});
    expect(mcp).toHaveCalledToolTimes("search", 2);
    expect(mcp).toHaveCalledToolTimes("search", 1, CATS);
    expect(mcp).toHaveCalledToolTimes("translate", 0);
    expect(
      failure(() => expect(mcp).toHaveCalledTool("search", DOGS)),
    ).toBe(`expect(mcp).toHaveCalledTool("search", {"query":"dogs","limit":5})

Test: matchers.test.ts › calls › of one tool

It was called 2 times, never with these arguments. The closest call:

- Expected
+ Received

  {
-   "limit": 5,
    "query": "dogs",
  }

Tool calls:
  1. search {"query":"dogs"} on /mcp
  2. search {"query":"cats"} on /mcp`);
    expect(failure(() => expect(mcp).not.toHaveCalledTool("search", { query: expect.any(String) }))).toBe(
      `expect(mcp).not.toHaveCalledTool("search", {"query":"Any<String>"})

Test: matchers.test.ts › calls › of one tool

It was called 2 times.

Tool calls:
  1. search {"query":"dogs"} on /mcp
  2. search {"query":"cats"} on /mcp`,
    );
    expect(
      failure(() => expect(mcp).toHaveCalledToolTimes("search", 3)),
    ).toBe(`expect(mcp).toHaveCalledToolTimes("search", 3)

Test: matchers.test.ts › calls › of one tool

It was called 2 times.

Tool calls:
  1. search {"query":"dogs"} on /mcp
  2. search {"query":"cats"} on /mcp`);
  });

  test("in order", async () => {
    await call(mcp.url, "search", CATS);
    await call(mcp.url, "translate");
    await call(mcp.url, "search", DOGS);
    expect(mcp).toHaveCalledTools(["search", "translate", "search"], { exactly: true });
    expect(mcp).toHaveCalledTools([
      ["search", CATS],
      ["search", DOGS],
    ]);
    expect(mcp).not.toHaveCalledTools(["translate", "translate"]);
    expect(mcp).not.toHaveCalledTools(["search", "search"], { exactly: true });
    const calls = `Test: matchers.test.ts › calls › in order

%

Tool calls:
  1. search {"query":"cats"} on /mcp
  2. translate {} on /mcp
  3. search {"query":"dogs","limit":5} on /mcp`;
    expect(failure(() => expect(mcp).toHaveCalledTools([["search", DOGS], "translate"]))).toBe(
      `expect(mcp).toHaveCalledTools([["search",{"query":"dogs","limit":5}],"translate"])\n\n${calls.replace("%", "Call 2 of the list, translate, is missing after call 3.")}`,
    );
    expect(failure(() => expect(mcp).toHaveCalledTools(["search", "search"], { exactly: true }))).toBe(
      `expect(mcp).toHaveCalledTools(["search","search"], {"exactly":true})\n\n${calls.replace("%", "Call 2 is not the one of the list, search, but translate {} on /mcp.")}`,
    );
    expect(failure(() => expect(mcp).toHaveCalledTools(["search", "translate"], { exactly: true }))).toBe(
      `expect(mcp).toHaveCalledTools(["search","translate"], {"exactly":true})\n\n${calls.replace("%", 'Call 3 is one too many: search {"query":"dogs","limit":5} on /mcp.')}`,
    );
    expect(
      failure(() => expect(mcp).toHaveCalledTools(["search", "translate", "search", "search"], { exactly: true })),
    ).toBe(
      `expect(mcp).toHaveCalledTools(["search","translate","search","search"], {"exactly":true})\n\n${calls.replace("%", "Call 4 of the list, search, is missing.")}`,
    );
  });
});

test("resources, prompts and lists", async () => {
  expect(mcp).not.toHaveListedTools();
  const client = await connect(mcp.url);
  await client.listTools();
  await client.readResource({ uri: "file:///readme.md" });
  await client.getPrompt({ name: "summarize", arguments: { text: "long" } });
  await client.close();
  expect(mcp).toHaveListedTools();
  expect(mcp).toHaveReadResource("file:///readme.md");
  expect(mcp).toHaveUsedPrompt("summarize");
  expect(mcp).toHaveUsedPrompt("summarize", { text: "long" });
  expect(mcp).not.toHaveUsedPrompt("summarize", { text: "short" });
  expect(failure(() => expect(mcp).not.toHaveListedTools())).toBe(`expect(mcp).not.toHaveListedTools()

Test: matchers.test.ts › resources, prompts and lists

tools/list was sent 1 time.`);
  expect(
    failure(() => expect(mcp).toHaveReadResource("file:///other.md")),
  ).toBe(`expect(mcp).toHaveReadResource("file:///other.md")

Test: matchers.test.ts › resources, prompts and lists

Resources read:
  1. file:///readme.md`);
  expect(failure(() => expect(mcp).toHaveUsedPrompt("translate"))).toBe(`expect(mcp).toHaveUsedPrompt("translate")

Test: matchers.test.ts › resources, prompts and lists

Prompts used:
  1. summarize {"text":"long"}`);
});

test("await in front of a matcher does no harm", async () => {
  await call(mcp.url, "search", CATS);
  await expect(mcp).toHaveCalledTool("search", CATS);
  await expect(mcp).not.toHaveCalledTool("translate");
});
