import { expect, test } from "vitest";
import type { FakeStore } from "../../src/fakes/store.ts";
import { toolTarget } from "../../src/fakes/target.ts";
import type { McpFakeCall, McpFakeMatch } from "../../src/fixtures/types.ts";
import type { Json } from "../../src/json.ts";
import { asking, sharedTool, storeOf } from "../_support/fakes.ts";

test.each<[string, McpFakeMatch, Json, boolean]>([
  ["a key among others", { partialArgs: { base: "main" } }, { base: "main", draft: true }, true],
  ["a nested key among others", { partialArgs: { head: { ref: "a" } } }, { head: { ref: "a", sha: "1" } }, true],
  ["arrays whole", { partialArgs: { labels: ["x"] } }, { labels: ["x", "y"] }, false],
  ["objects in arrays whole", { partialArgs: { items: [{ a: 1 }] } }, { items: [{ a: 1, b: 2 }] }, false],
  ["null is not a missing key", { partialArgs: { base: null } }, {}, false],
  ["a pattern anywhere in the text", { argsMatch: { query: "first issue" } }, { query: "a good first issue!" }, true],
  ["a pattern in another case", { argsMatch: { query: "(?i)CVE" } }, { query: "cve-2026" }, true],
  ["a pattern's case counts", { argsMatch: { query: "CVE" } }, { query: "cve-2026" }, false],
  ["mixed flags", { argsMatch: { text: "(?is)^a.b$" } }, { text: "A\nB" }, true],
  ["a pattern for a path", { argsMatch: { "items.0.name": "^x$" } }, { items: [{ name: "x" }] }, true],
  ["a number by its JSON text", { argsMatch: { page: "^1\\d$" } }, { page: 12 }, true],
  ["an object by its JSON text", { argsMatch: { head: '"ref":"a"' } }, { head: { ref: "a" } }, true],
  ["a missing field never matches", { argsMatch: { query: ".*" } }, {}, false],
  ["all patterns must hold", { argsMatch: { a: "1", b: "2" } }, { a: "1", b: "3" }, false],
  ["a schema", { argsSchema: { required: ["id"], properties: { id: { type: "integer" } } } }, { id: 3 }, true],
  ["a schema that is broken", { argsSchema: { properties: { id: { type: "integer" } } } }, { id: "3" }, false],
  ["conditions are all needed", { partialArgs: { a: 1 }, argsMatch: { b: "x" } }, { a: 1, b: "y" }, false],
  ["exact arguments beside a condition", { args: { a: "x" }, argsMatch: { a: "x" } }, { a: "x", b: 1 }, false],
])("an entry takes %s: %j, %j", (_name, call, args, taken) => {
  const store = storeOf(sharedTool("t", { ...call, result: "ok" }));
  expect(store.claim(toolTarget("t"), args, asking()).kind).toBe(taken ? "answered" : "mismatch");
});

test("entries with conditions and entries without are tried in the order declared", () => {
  const store = storeOf(
    sharedTool(
      "t",
      { partialArgs: { a: 1 }, result: "1" },
      { args: { a: 1 }, result: "2" },
      { anyArgs: true, result: "3" },
    ),
  );
  expect([{ a: 1 }, { a: 1 }, { a: 1 }].map((args) => idOf(store, args))).toEqual(["t#0", "t#1", "t#2"]);
  expect(
    idOf(storeOf(sharedTool("t", { partialArgs: { a: 1 }, result: "1" }, { args: { a: 2 }, result: "2" })), { a: 2 }),
  ).toBe("t#1");
});

test("an entry answers as often as its times say, and must be used as often as their min", () => {
  const store = storeOf(sharedTool("t", { anyArgs: true, result: "ok", times: { min: 2, max: 3 } }));
  const due = () => store.unconsumed(asking()).length;
  const dueBefore = [due()];
  const kinds = [1, 2, 3, 4].map(() => {
    const { kind } = store.claim(toolTarget("t"), {}, asking());
    dueBefore.push(due());
    return kind;
  });

  expect(kinds).toEqual(["answered", "answered", "answered", "exhausted"]);
  expect(dueBefore).toEqual([1, 1, 0, 0, 0]);
});

test.each<[McpFakeCall["times"], boolean | undefined, [number, number]]>([
  [undefined, undefined, [1, 1]],
  [undefined, true, [0, 1]],
  [2, undefined, [2, 2]],
  [{ max: 3 }, undefined, [1, 3]],
  [{ min: 3 }, undefined, [3, 3]],
  [{ min: 0, max: 2 }, undefined, [0, 2]],
  [{ min: 2, max: 4 }, true, [0, 4]],
])("times %j, optional %j", (times, optional, [min, max]) => {
  const call: McpFakeCall = { anyArgs: true, result: "ok", ...(times && { times }), ...(optional && { optional }) };
  const store = storeOf(sharedTool("t", call));
  const isDue = () => store.unconsumed(asking()).some((entry) => !entry.optional);

  let used = 0;
  let needed = 0;
  for (; isDue(); needed++, used++) expect(store.claim(toolTarget("t"), {}, asking()).kind).toBe("answered");
  while (store.claim(toolTarget("t"), {}, asking()).kind === "answered") used++;
  expect([needed, used]).toEqual([min, max]);
});

test("a state leads through a scenario, each test id through its own", () => {
  const store = storeOf(
    sharedTool(
      "t",
      { anyArgs: true, state: "start", setState: "open", result: "opened" },
      { anyArgs: true, state: "open", times: 2, result: "it is open" },
    ),
  );
  const call = (testId: string) => {
    const outcome = store.claim(toolTarget("t"), {}, asking({ testId }));
    if (outcome.kind === "answered") store.settle(outcome.entry, asking({ testId }));
    return outcome.kind === "answered" ? outcome.entry.id : outcome.kind;
  };

  expect(["a", "a", "b", "b", "a", "a"].map(call)).toEqual([
    "code#1:t#0",
    "code#1:t#1",
    "code#1:t#0",
    "code#1:t#1",
    "code#1:t#1",
    "exhausted",
  ]);
  store.reset("a");
  expect(call("a")).toBe("code#1:t#0");
});

/** The local name of the entry that answered, or the outcome that is none. */
function idOf(store: FakeStore, args: Json): string {
  const outcome = store.claim(toolTarget("t"), args, asking());
  return outcome.kind === "answered" ? outcome.entry.id.replace("code#1:", "") : outcome.kind;
}
