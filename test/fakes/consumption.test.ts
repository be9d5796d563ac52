import { expect, test } from "vitest";
import type { FakeStore } from "../../src/fakes/store.ts";
import { toolTarget } from "../../src/fakes/target.ts";
import { blockSources } from "../../src/fixtures/block-sources.ts";
import { asking, emptyStore, sharedTool } from "../_support/fakes.ts";

const ANY = sharedTool("t", { anyArgs: true, result: "1" }, { anyArgs: true, result: "2" });

test("past the cap the test id that came first is evicted, not the one that rested longest", () => {
  const store = storeWithCap(2);
  expect(kinds(store, "a", "b", "a", "c", "b")).toEqual(["answered", "answered", "answered", "answered", "answered"]);
  expect(store.claim(toolTarget("t"), {}, asking({ testId: "a" }))).toEqual({ kind: "evicted", cap: 2 });
  expect(kinds(store, "b", "c")).toEqual(["exhausted", "answered"]);
});

test("an evicted test id stays so until it is reset", () => {
  const store = storeWithCap(1);
  expect(kinds(store, "a", "b", "a", "a")).toEqual(["answered", "answered", "evicted", "evicted"]);
  expect([store.isEvicted("a"), store.isEvicted("b")]).toEqual([true, false]);
  expect(store.snapshot(asking({ testId: "a" }))).toMatchObject([{ evicted: true }]);
  store.reset("a");
  expect(kinds(store, "a", "b")).toEqual(["answered", "evicted"]);
});

test("tools that no fake declares are none of an evicted test's business", () => {
  const store = storeWithCap(1);
  kinds(store, "a", "b");
  expect(store.claim(toolTarget("other"), {}, asking({ testId: "a" })).kind).toBe("unfaked");
});

test("failed claims and requests without a test id take no room", () => {
  const store = storeWithCap(1);
  store.add(blockSources(sharedTool("strict", { args: { x: 1 }, result: "1" }), null), "code");
  expect(kinds(store, "a")).toEqual(["answered"]);
  expect(store.claim(toolTarget("strict"), {}, asking({ testId: "b" })).kind).toBe("mismatch");
  expect(kinds(store, null, null, null, "a")).toEqual(["answered", "answered", "exhausted", "answered"]);
});

test("lowering the cap evicts at once, 0 lifts it", () => {
  const store = storeWithCap(0);
  expect(kinds(store, "a", "b", "c")).toEqual(["answered", "answered", "answered"]);
  store.setCap(1);
  expect(kinds(store, "a", "b", "c")).toEqual(["evicted", "evicted", "answered"]);
  store.setCap(0);
  expect(kinds(store, "a", "d", "e")).toEqual(["evicted", "answered", "answered"]);
});

test("a reset of one test id leaves the others' entries used", () => {
  const store = storeWithCap(0);
  kinds(store, "a", "a", "b", "b", null, null);
  store.reset("a");
  expect(kinds(store, "a", "b", null)).toEqual(["answered", "exhausted", "exhausted"]);
});

test("a reset of __default__ takes the untagged state along", () => {
  const store = storeWithCap(0);
  expect(kinds(store, "__default__", null, null, null)).toEqual(["answered", "answered", "answered", "exhausted"]);
  store.reset("__default__");
  expect(kinds(store, null, "__default__", "__default__", "__default__")).toEqual([
    "answered",
    "answered",
    "answered",
    "exhausted",
  ]);
});

test("a reset without a test id re-arms everyone", () => {
  const store = storeWithCap(1);
  kinds(store, "a", "b", null, null);
  store.reset();
  expect(kinds(store, "a", null)).toEqual(["answered", "answered"]);
  expect(store.isEvicted("a")).toBe(false);
});

test("clear unloads all blocks and forgets what was used and evicted", () => {
  const store = storeWithCap(1);
  kinds(store, "a", "b", null, null);
  store.clear();
  expect([store.count, store.snapshot(asking()), store.claim(toolTarget("t"), {}, asking()).kind]).toEqual([
    0,
    [],
    "unfaked",
  ]);
  store.add(blockSources(ANY, null), "code");
  expect(kinds(store, "a", null)).toEqual(["answered", "answered"]);
});

function storeWithCap(cap: number): FakeStore {
  const store = emptyStore({ cap });
  store.add(blockSources(ANY, null), "code");
  return store;
}

/** How a call of each test id ended, in turn. */
function kinds(store: FakeStore, ...testIds: (string | null)[]): string[] {
  return testIds.map((testId) => store.claim(toolTarget("t"), {}, asking({ testId })).kind);
}
