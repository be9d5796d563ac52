import { expect, test } from "vitest";
import type { Origin } from "../../src/fakes/model.ts";
import { toolTarget } from "../../src/fakes/target.ts";
import { blockSources } from "../../src/fixtures/block-sources.ts";
import type { McpFakeBlock } from "../../src/fixtures/types.ts";
import { asking, emptyStore, sharedTool, storeOf, storeOfFile } from "../_support/fakes.ts";
import { problemsOf, thrownBy } from "../_support/thrown.ts";

const ANY = sharedTool("t", { anyArgs: true, result: "ok" });

test("a snapshot shows the blocks that apply and what is used, not the answers", () => {
  const store = storeOfFile("tickets/retry.json");
  const asked = asking({ testId: "tickets › retry on timeout" });
  store.add(blockSources({ ...ANY, mount: "/other" }, null), "control-api");
  store.claim(toolTarget("create_ticket"), { title: "Refund" }, asked);
  expect(JSON.stringify(store.snapshot(asked), null, 1)).toBe(
    JSON.stringify(
      [
        {
          blockId: "tickets/retry.json",
          source: "tickets/retry.json",
          mount: "/mcp",
          scope: { testId: "tickets › retry on timeout" },
          undeclaredTools: "allow",
          evicted: false,
          tools: [
            {
              name: "create_ticket",
              entries: [
                { id: "tickets/retry.json:first-try", args: { title: "Refund" }, consumed: true },
                { id: "tickets/retry.json:retry", args: { title: "Refund" }, consumed: false },
              ],
            },
          ],
        },
        {
          blockId: "control-api#1",
          source: "control-api#1",
          mount: "/other",
          scope: "shared",
          undeclaredTools: "allow",
          evicted: false,
          tools: [{ name: "t", entries: [{ id: "control-api#1:t#0", anyArgs: true, consumed: false }] }],
        },
      ],
      null,
      1,
    ),
  );
});

test("what is unconsumed tells where it was declared", () => {
  const store = storeOfFile("docs/search.json");
  store.add(
    blockSources(
      { scope: { testId: "T" }, tools: [{ name: "t", calls: [{ args: { a: 1 }, result: "ok", optional: true }] }] },
      null,
    ),
    "code",
  );
  const asked = asking({ testId: "T", context: "docs-search" });
  store.claim(toolTarget("search_docs"), {}, asked);
  expect(store.unconsumed(asked)).toEqual([
    {
      entryId: "docs/search.json:search_docs#1",
      mount: "/mcp",
      tool: "search_docs",
      anyArgs: true,
      tier: "context",
      optional: false,
      source: "docs/search.json",
    },
    {
      entryId: "code#1:t#0",
      mount: "/mcp",
      tool: "t",
      args: { a: 1 },
      tier: "testId",
      optional: true,
      source: "code#1",
    },
  ]);
});

test("an add is all or nothing", () => {
  const store = emptyStore();
  expect(thrownBy(() => store.add(blockSources([ANY, {}], null), "code"))).toMatchObject({
    name: "McpFakesAddError",
    rule: "mcp-fakes/bad-block:a",
    file: "code#1",
    blockId: "code#1[1]",
    entryId: null,
  });
  expect([store.count, store.claim(toolTarget("t"), {}, asking()).kind]).toEqual([0, "unfaked"]);
});

test("an add reports how many blocks and which warnings", () => {
  const calls = [
    { anyArgs: true as const, result: "1" },
    { args: {}, result: "2" },
  ];
  expect(
    emptyStore().add(blockSources([ANY, { scope: "shared", tools: [{ name: "u", calls }] }], null), "code"),
  ).toEqual({
    blocks: 2,
    warnings: [
      {
        file: "code#1",
        blockId: "code#1[1]",
        entryId: "code#1[1]:u#1",
        message: 'entry "code#1[1]:u#1" is shadowed until the preceding anyArgs entry "code#1[1]:u#0" is consumed',
      },
    ],
  });
});

test("a prepared add changes nothing until it is committed", () => {
  const store = emptyStore();
  const prepared = store.prepare(blockSources(ANY, null), "code");
  expect([store.count, prepared.blocks, prepared.errors]).toEqual([0, 1, []]);
  prepared.commit();
  expect([store.count, store.snapshot(asking())[0]?.blockId]).toEqual([1, "code#1"]);
});

test("a prepared add with errors, or of a store that has changed, cannot be committed", () => {
  const store = emptyStore();
  expect(() => store.prepare([], "code").commit()).toThrow("Blocks with errors cannot be added");
  const prepared = store.prepare(blockSources(ANY, null), "code");
  store.add(blockSources(ANY, null), "code");
  expect(() => prepared.commit()).toThrow("These blocks were prepared before the store changed: prepare them again");
  expect(store.count).toBe(1);
});

test.each<[what: string, sources: unknown, origin: string, messages: string[]]>([
  ["nothing", [], "code", ['"code#1": [mcp-fakes/bad-block:i] mcpFakes holds no blocks']],
  ["nothing from a file", [], "file", ["<no file>: [mcp-fakes/bad-block:i] mcpFakes holds no blocks"]],
  ["no array", 5, "control-api", ['"control-api#1": [mcp-fakes/bad-block:i] blocks must be an array, got 5']],
  [
    "an unknown origin",
    [],
    "disk",
    ['<no file>: [mcp-fakes/bad-block:i] origin.kind must be "file", "code" or "control-api", got "disk"'],
  ],
  [
    "sources of a wrong shape",
    [{ source: "", blockIndex: -1, raw: ANY }, null, { source: "a", blockIndex: null, raw: ANY }, { blockIndex: null }],
    "file",
    [
      '<no file>: [mcp-fakes/bad-block:i] blocks[0] source must be a non-empty string, got ""',
      "<no file>: [mcp-fakes/bad-block:i] blocks[0] blockIndex must be null or a non-negative integer, got -1",
      "<no file>: [mcp-fakes/bad-block:i] blocks[1] must be an object, got null",
      "<no file>: [mcp-fakes/bad-block:i] blocks[3] source must be a non-empty string, got undefined",
    ],
  ],
  [
    "a value that is no block",
    blockSources(7, null),
    "control-api",
    ['"control-api#1": [mcp-fakes/bad-block:i] mcpFakes must be an object or an array, got 7'],
  ],
])("an add of %s is refused", (_what, sources, origin, messages) => {
  expect(problemsOf(() => emptyStore().add(sources as [], origin as Origin))).toEqual(messages);
});

test("a removed block answers no more, and its tool's other blocks keep their order", () => {
  const store = storeOf(ANY, ANY, ANY);
  expect([store.removeBlock("code#2"), store.removeBlock("code#2"), store.removeBlock("nope")]).toEqual([
    true,
    false,
    false,
  ]);
  const call = () => store.claim(toolTarget("t"), {}, asking());
  expect([call(), call(), call()]).toMatchObject([
    { entry: { id: "code#1:t#0" } },
    { entry: { id: "code#3:t#0" } },
    { kind: "exhausted", matching: ["code#1:t#0", "code#3:t#0"] },
  ]);
});

test("an entry that was used and removed is unused when it comes again", () => {
  const store = emptyStore();
  const load = (name: string) => store.add(blockSources(ANY, name), "file");
  load("a");
  load("a");
  store.claim(toolTarget("t"), {}, asking());
  store.claim(toolTarget("t"), {}, asking());
  store.removeBlock("a@2");
  load("a@2");
  expect(store.claim(toolTarget("t"), {}, asking())).toMatchObject({ kind: "answered", entry: { id: "a@2:t#0" } });
});

test("blocks scoped to a test are removed together, in every context and none other", () => {
  const { tools = [] } = ANY;
  const store = storeOf(
    ANY,
    { scope: { testId: "T" }, tools },
    { scope: { testId: "T", context: "C" }, tools },
    { scope: { testId: "U" }, tools },
  );
  expect([store.removeScopedTo("T"), store.removeScopedTo("T"), store.count]).toEqual([2, 0, 2]);
  expect(store.claim(toolTarget("t"), {}, asking({ testId: "T" }))).toMatchObject({ entry: { id: "code#1:t#0" } });
});

test("what a running test adds is for it, by any of its names, or for no test in particular", () => {
  const store = emptyStore({ aliases: (testId) => (testId === "a.ts › T" ? ["T"] : []) });
  const add = (...scopes: McpFakeBlock["scope"][]) =>
    store.add(
      blockSources(
        scopes.map((scope) => ({ ...ANY, scope })),
        null,
      ),
      "control-api",
      { owner: "a.ts › T" },
    );
  const problem = (index: number, other: string) =>
    `"control-api#1", block "control-api#1[${index}]": [mcp-fakes/bad-block:b] ` +
    `scope.testId "${other}" names another test than "a.ts › T", which adds the block`;
  expect(problemsOf(() => add({ testId: "T" }, { testId: "U" }, { testId: "b.ts › T", context: "C" }))).toEqual([
    problem(1, "U"),
    problem(2, "b.ts › T"),
  ]);
  expect(add({ testId: "T" }, { testId: "a.ts › T" }, { context: "C" }, "shared").blocks).toBe(4);
});

test("blocks that a running test added go with it", () => {
  const store = storeOf(ANY);
  store.add(blockSources({ ...ANY, scope: { testId: "T" } }, null), "control-api", { owner: "T" });
  store.add(blockSources([ANY, ANY], null), "control-api", { owner: "T" });
  store.removeBlock("control-api#3[0]");
  expect([store.removeOwnedBy("U"), store.removeOwnedBy("T"), store.removeOwnedBy("T"), store.count]).toEqual([
    0, 2, 0, 1,
  ]);
});
