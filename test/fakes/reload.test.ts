import { expect, test } from "vitest";
import { createFakeStore, type FakeStore } from "../../src/fakes/store.ts";
import { toolTarget } from "../../src/fakes/target.ts";
import type { BlockSource } from "../../src/fixtures/block-sources.ts";

const IDENTITY = { testId: "t", context: null, undeclared: null };

function file(source: string, ...results: readonly string[]): BlockSource {
  const calls = results.map((result) => ({ anyArgs: true, result }));
  return { source, blockIndex: null, raw: { scope: "shared", tools: [{ name: "tool", calls }] } };
}

function createStore(): FakeStore {
  return createFakeStore({ mount: () => "/mcp", cap: 0, aliases: () => [] });
}

function replace(store: FakeStore, ...sources: readonly BlockSource[]): void {
  store.prepare(sources, "file", { replacesFiles: true }).commit();
}

/** Which entry answers the next call. */
function claim(store: FakeStore): string {
  const outcome = store.claim(toolTarget("tool"), {}, IDENTITY);
  return outcome.kind === "answered" ? outcome.entry.id : outcome.kind;
}

test("reloaded files have the ids of a first load", () => {
  const store = createStore();
  store.add([file("a.json", "1"), file("b.json", "1")], "file");
  replace(store, file("a.json", "1"), file("b.json", "2"), file("a.json", "3"));
  replace(store, file("a.json", "1"), file("b.json", "2"), file("a.json", "3"));
  expect(store.snapshot(IDENTITY).map(({ blockId }) => blockId)).toEqual(["a.json", "b.json", "a.json@2"]);
});

test("reloaded files stand where they stood among blocks from elsewhere", () => {
  const store = createStore();
  store.add([file("code", "first")], "code");
  store.add([file("a.json", "1")], "file");
  store.add([file("code", "last")], "code");
  replace(store, file("a.json", "1 changed"), file("b.json", "new"));
  expect([1, 2, 3, 4].map(() => claim(store))).toEqual([
    "code#1:tool#0",
    "a.json:tool#0",
    "b.json:tool#0",
    "code#2:tool#0",
  ]);
});

test("what a reload brings back as it was stays used, what it changes is unused again", () => {
  const store = createStore();
  store.add([file("same.json", "1", "2"), file("changed.json", "1")], "file");
  expect([1, 2, 3].map(() => claim(store))).toEqual(["same.json:tool#0", "same.json:tool#1", "changed.json:tool#0"]);
  replace(store, file("same.json", "1", "2"), file("changed.json", "1 changed"));
  expect([1, 2].map(() => claim(store))).toEqual(["changed.json:tool#0", "exhausted"]);
});

test("a reload without files leaves only what came from elsewhere", () => {
  const store = createStore();
  store.add([file("a.json", "1")], "file");
  store.add([file("code", "1")], "code");
  replace(store);
  expect(store.snapshot(IDENTITY).map(({ blockId }) => blockId)).toEqual(["code#1"]);
});

test("a reload with a problem changes nothing", () => {
  const store = createStore();
  store.add([file("a.json", "1")], "file");
  const broken = store.prepare([file("a.json"), file("b.json", "1")], "file", { replacesFiles: true });
  expect(broken.errors.map(({ message }) => message)).toEqual([
    '"a.json", block "a.json": [mcp-fakes/bad-block:g] tool "tool" calls must be a non-empty array, got []',
  ]);
  expect([claim(store), claim(store)]).toEqual(["a.json:tool#0", "exhausted"]);
});
