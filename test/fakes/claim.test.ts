import { expect, test } from "vitest";
import type { FakeStore } from "../../src/fakes/store.ts";
import { toolTarget } from "../../src/fakes/target.ts";
import type { Json } from "../../src/json.ts";
import { asking, sharedTool, storeOf, storeOfFile } from "../_support/fakes.ts";

test("entries of equal arguments answer in the order declared, then the tool is exhausted", () => {
  const store = storeOfFile("tickets/retry.json");
  const call = () => claim(store, "create_ticket", { title: "Refund" }, "tickets › retry on timeout");
  expect([call(), call(), call()]).toEqual([
    "tickets/retry.json:first-try",
    "tickets/retry.json:retry",
    {
      kind: "exhausted",
      received: { title: "Refund" },
      matching: ["tickets/retry.json:first-try", "tickets/retry.json:retry"],
    },
  ]);
});

test("calls with different arguments find their own entries in any order", () => {
  const store = storeOf(sharedTool("t", { args: { n: 1 }, result: "1" }, { args: { n: 2 }, result: "2" }));
  expect([claim(store, "t", { n: 2 }), claim(store, "t", { n: 1 })]).toEqual(["code#1:t#1", "code#1:t#0"]);
});

test("each test id has its own copy of shared entries, requests without one share theirs", () => {
  const store = storeOf(sharedTool("t", { anyArgs: true, result: "ok" }));
  expect(["a", "b", null, "a", null].map((testId) => kindOf(store, testId))).toEqual([
    "answered",
    "answered",
    "answered",
    "exhausted",
    "exhausted",
  ]);
});

test("any arguments are any JSON, and none at all", () => {
  const any = { anyArgs: true, result: "ok" } as const;
  const store = storeOf(sharedTool("t", any, any, any, any));
  expect([undefined, null, [1], "x"].map((args) => claim(store, "t", args))).toEqual(
    [0, 1, 2, 3].map((n) => `code#1:t#${n}`),
  );
});

test("a call without arguments has empty ones, null is not empty", () => {
  const store = storeOf(sharedTool("t", { args: {}, result: "1" }));
  expect(claim(store, "t", null)).toEqual({
    kind: "mismatch",
    received: null,
    declared: [{ id: "code#1:t#0", args: {}, consumed: false }],
    firstDifference: "$: expected an object, received null",
  });
  expect(claim(store, "t", undefined)).toBe("code#1:t#0");
});

test("an args entry and an anyArgs entry are taken in load order", () => {
  const store = storeOf(
    sharedTool("t", { args: { a: 1 }, result: "1" }, { anyArgs: true, result: "2" }, { args: { a: 1 }, result: "3" }),
  );
  expect([1, 1, 1].map((a) => claim(store, "t", { a }))).toEqual(["code#1:t#0", "code#1:t#1", "code#1:t#2"]);
});

test("a mismatch names every declared entry and compares with the closest, used ones included", () => {
  const store = storeOf(
    sharedTool(
      "t",
      { args: { a: 1, b: 1 }, result: "1" },
      { args: { a: 2, b: 2 }, result: "2" },
      { args: {}, result: "3" },
    ),
  );
  claim(store, "t", { a: 2, b: 2 });
  expect(claim(store, "t", { a: 2, b: 3 })).toEqual({
    kind: "mismatch",
    received: { a: 2, b: 3 },
    declared: [
      { id: "code#1:t#0", args: { a: 1, b: 1 }, consumed: false },
      { id: "code#1:t#1", args: { a: 2, b: 2 }, consumed: true },
      { id: "code#1:t#2", args: {}, consumed: false },
    ],
    firstDifference: "$.b: expected 2, received 3",
  });
});

test("of equally close entries the first is compared with", () => {
  const store = storeOf(sharedTool("t", { args: { a: 1 }, result: "1" }, { args: { a: 2 }, result: "2" }));
  expect(claim(store, "t", { a: 3 })).toMatchObject({ firstDifference: "$.a: expected 1, received 3" });
});

/** The id of the entry that answered, or the outcome that is none. */
function claim(store: FakeStore, tool: string, args: Json | undefined, testId: string | null = null) {
  const outcome = store.claim(toolTarget(tool), args, asking({ testId }));
  return outcome.kind === "answered" ? outcome.entry.id : outcome;
}

function kindOf(store: FakeStore, testId: string | null): string {
  return store.claim(toolTarget("t"), {}, asking({ testId })).kind;
}
