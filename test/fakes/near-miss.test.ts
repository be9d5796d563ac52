import { expect, test } from "vitest";
import { toolTarget } from "../../src/fakes/target.ts";
import type { McpFakeBlock } from "../../src/fixtures/types.ts";
import type { Json } from "../../src/json.ts";
import { asking, sharedTool, storeOf } from "../_support/fakes.ts";

test("the entry with the least in its way is named, the gravest reason first", () => {
  const block = sharedTool(
    "open_pr",
    { args: { base: "main", title: "A", draft: false, n: 1 }, result: "1" },
    { args: { base: "main", title: "A" }, result: "2" },
  );

  expect(nearest({ base: "dev", draft: "no" }, block)).toEqual({
    entryId: "code#1:open_pr#1",
    tool: "open_pr",
    reasons: [
      { kind: "missing-key", text: '$.title: expected "A", received nothing (key missing)' },
      { kind: "wrong-value", text: '$.base: expected "main", received "dev"' },
      { kind: "extra-key", text: '$.draft: unexpected key, received "no"' },
    ],
  });
});

test("a value of another type is a wrong type", () => {
  expect(nearest({ n: "1" }, sharedTool("open_pr", { args: { n: 1 }, result: "ok" }))?.reasons).toEqual([
    { kind: "wrong-type", text: '$.n: expected 1, received "1"' },
  ]);
});

test("every kind of condition says what it wanted", () => {
  const block = sharedTool("open_pr", {
    partialArgs: { base: "main" },
    argsMatch: { title: "(?i)fix", body: "x" },
    argsSchema: { properties: { n: { type: "integer" } } },
    state: "reviewed",
    result: "ok",
  });

  expect(nearest({ base: "dev", title: "Add", n: "1" }, block)?.reasons).toEqual([
    { kind: "missing-key", text: '$.body: expected a match of "x", received nothing (key missing)' },
    { kind: "wrong-value", text: '$.base: expected "main", received "dev"' },
    { kind: "wrong-value", text: '$.title: expected a match of "(?i)fix", received "Add"' },
    { kind: "wrong-value", text: "$.n: must be integer (argsSchema)" },
    { kind: "wrong-state", text: 'state: expected "reviewed", it is "start"' },
  ]);
});

test("an entry that would fit but is used up comes before others that do not fit", () => {
  const store = storeOf(
    sharedTool("open_pr", { args: { n: 2 }, result: "1" }, { args: { n: 1 }, result: "2", times: 2 }),
  );
  store.claim(toolTarget("open_pr"), { n: 1 }, asking());
  store.claim(toolTarget("open_pr"), { n: 1 }, asking());

  expect(store.nearest(toolTarget("open_pr"), { n: 1 }, asking())?.miss).toEqual({
    entryId: "code#1:open_pr#1",
    tool: "open_pr",
    reasons: [{ kind: "used-up", text: "used up: it answers 2 calls" }],
  });
});

test("a misspelled tool is compared with the tool that was meant", () => {
  expect(nearest({ n: 1 }, sharedTool("openPr", { args: { n: 1 }, result: "ok" }))?.reasons).toEqual([
    { kind: "wrong-tool", text: 'the tool "openPr" is declared, "open_pr" was called' },
  ]);
  expect(nearest({ n: 1 }, sharedTool("delete_repo", { args: { n: 1 }, result: "ok" }))).toBeUndefined();
});

test("an entry that would fit but belongs to another test says whose it is", () => {
  const { tools = [] } = sharedTool("open_pr", { args: { n: 1 }, result: "ok" });

  expect(nearest({ n: 1 }, { scope: { testId: "a", context: "c" }, tools })?.reasons).toEqual([
    { kind: "other-test", text: 'declared for testId "a", context "c"' },
  ]);
  const own = {
    scope: "shared" as const,
    tools: [{ name: "open_pr", calls: [{ args: { n: 3, m: 1 }, result: "ok" }] }],
  };
  expect(nearest({ n: 2 }, { scope: { testId: "a" }, tools }, own)?.entryId).toBe("code#2:open_pr#0");
});

test("what only others declare is named whatever it takes, the scope first that is named most like the test", () => {
  const of = (testId: string): McpFakeBlock => ({
    ...sharedTool("open_pr", { args: { n: 1 }, result: "ok" }),
    scope: { testId },
  });
  const store = storeOf(of("something else"), of("desk › files"), of("desk"));
  const identity = { ...asking(), testId: "desk › file" };
  expect(store.nearest(toolTarget("open_pr"), { n: 2 }, identity)?.miss).toEqual({
    entryId: "code#2:open_pr#0",
    tool: "open_pr",
    reasons: [
      { kind: "other-test", text: 'declared for testId "desk › files"' },
      { kind: "wrong-value", text: "$.n: expected 1, received 2" },
    ],
  });
});

function nearest(args: Json, ...blocks: McpFakeBlock[]) {
  return storeOf(...blocks).nearest(toolTarget("open_pr"), args, asking())?.miss;
}
