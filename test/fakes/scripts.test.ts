import { expect, test } from "vitest";
import type { FakeStore } from "../../src/fakes/store.ts";
import { toolTarget } from "../../src/fakes/target.ts";
import { SCRIPT_DEFAULTS } from "../../src/fixtures/mock/settings.ts";
import type { Json } from "../../src/json.ts";
import { asking, emptyStore } from "../_support/fakes.ts";

const answers = (text: string) => ({ text });

test("responses come first, then the sequence, then the default", () => {
  const store = storeOfMock({
    tools: [
      {
        name: "t",
        responses: [{ when: { args: { a: 1 } }, text: "response" }],
        sequence: [answers("first"), answers("second")],
        default: answers("default"),
      },
      { name: "d", responses: [{ when: { args: { a: 1 } }, text: "response" }], default: answers("default") },
    ],
  });

  expect([{ a: 2 }, { a: 1 }, { a: 2 }, {}, { a: 1 }].map((args) => textOf(store, "t", args))).toEqual([
    "first",
    "response",
    "second",
    "second",
    "response",
  ]);
  expect([{ a: 2 }, { a: 1 }, { a: 1 }].map((args) => textOf(store, "d", args))).toEqual([
    "default",
    "response",
    "response",
  ]);
});

test("a sequence counts each tool's calls of each test by itself", () => {
  const sequence = [{ error: { code: -32000, message: "flaky" } }, answers("healthy")];
  const store = storeOfMock({
    tools: [
      { name: "a", sequence },
      { name: "b", sequence },
    ],
  });

  expect([textOf(store, "a", {}, "x"), textOf(store, "a", {}, "x"), textOf(store, "b", {}, "x")]).toEqual([
    { code: -32000, message: "flaky" },
    "healthy",
    { code: -32000, message: "flaky" },
  ]);
  expect(textOf(store, "a", {}, "y")).toEqual({ code: -32000, message: "flaky" });
});

test("a call's place and count choose the response", () => {
  const store = storeOfMock({
    tools: [
      {
        name: "t",
        responses: [
          { when: { callIndex: 1 }, text: "second" },
          { when: { callCount: { min: 2, max: 3 } }, text: "third or fourth" },
        ],
        default: answers("other"),
      },
    ],
  });

  expect([1, 2, 3, 4, 5].map(() => textOf(store, "t"))).toEqual([
    "other",
    "second",
    "third or fourth",
    "third or fourth",
    "other",
  ]);
});

test("answers take the call's arguments, and one that is missing is told by its path", () => {
  const store = storeOfMock({
    tools: [
      { name: "greet", default: { text: "Hello {{args.user.name}}, {{ args.tags.0 }} of {{args.tags}}" } },
      { name: "data", default: { structuredContent: { id: "{{args.id}}" } } },
    ],
  });

  expect(textOf(store, "greet", { user: { name: "Ada" }, tags: ["a", 1] })).toBe('Hello Ada, a of ["a",1]');
  expect(store.claim(toolTarget("data"), { id: 7 }, asking())).toMatchObject({
    answer: { text: '{"content":[{"type":"text","text":"{\\"id\\":\\"7\\"}"}],"structuredContent":{"id":"7"}}' },
  });
  expect(() => store.claim(toolTarget("greet"), { tags: [1] }, asking())).toThrow(
    'the answer asks for {{args.user.name}}, but the call has no argument at "user.name"',
  );
});

const ORDERED = {
  expectations: [
    { tool: "search", response: answers("found") },
    { tool: "read", min: 0, max: 2, response: answers("text") },
    { tool: "merge", when: { args: { base: "main" } }, response: answers("merged") },
  ],
};

test("strict: in the configured order, where an expectation that has its min may be passed over", () => {
  const run = (calls: string[]) => {
    const store = storeOfMock({ mode: "strict", ...ORDERED });
    return calls.map((tool) => store.claim(toolTarget(tool), { base: "main" }, asking()).kind);
  };

  expect(run(["search", "merge"])).toEqual(["answered", "answered"]);
  expect(run(["search", "read", "read", "merge"])).toEqual(["answered", "answered", "answered", "answered"]);
  expect(run(["read"])).toEqual(["unexpected"]);
  expect(run(["search", "merge", "read"])).toEqual(["answered", "answered", "unexpected"]);
  expect(run(["search", "search"])).toEqual(["answered", "unexpected"]);
  expect(run(["search", "read", "read", "read"])).toEqual(["answered", "answered", "answered", "unexpected"]);
});

test("lenient: in any order, each as often as it may", () => {
  const store = storeOfMock({ mode: "lenient", ...ORDERED });
  const kinds = ["merge", "search", "read", "read", "search"].map(
    (tool) => store.claim(toolTarget(tool), { base: "main" }, asking()).kind,
  );

  expect(kinds).toEqual(["answered", "answered", "answered", "answered", "unexpected"]);
});

test("passthrough: expectations first, then the tool's own answers", () => {
  const tools = [{ name: "search", default: answers("default") }];
  const store = storeOfMock({ mode: "passthrough", tools, ...ORDERED });

  expect([textOf(store, "search"), textOf(store, "search")]).toEqual(["found", "default"]);
  expect(store.verdict(asking())).toMatchObject({ met: false, unexpected: [], missed: [{ tool: "merge" }] });
});

test("a verdict names what was missed, what nobody expected, and what came out of order", () => {
  const store = storeOfMock(ORDERED);
  store.claim(toolTarget("delete"), { id: 1 }, asking());
  store.claim(toolTarget("merge"), { base: "main" }, asking());
  store.claim(toolTarget("search"), {}, asking());

  expect(store.verdict(asking())).toEqual({
    met: false,
    missed: [{ tool: "merge", when: { args: { base: "main" } }, min: 1, used: 0 }],
    unexpected: [{ tool: "delete", args: { id: 1 }, reason: "no expectation names the tool" }],
    outOfOrder: [{ tool: "merge", args: { base: "main" }, expectation: 2, expected: "search with any arguments" }],
  });
  store.reset();
  for (const tool of ["search", "merge"]) store.claim(toolTarget(tool), { base: "main" }, asking());
  expect(store.verdict(asking())).toEqual({ met: true, missed: [], unexpected: [], outOfOrder: [] });
});

test("each test has its own verdict", () => {
  const store = storeOfMock(ORDERED);
  for (const tool of ["search", "merge"]) store.claim(toolTarget(tool), { base: "main" }, asking({ testId: "a" }));

  expect(store.verdict(asking({ testId: "a" }))?.met).toBe(true);
  expect(store.verdict(asking({ testId: "b" }))?.met).toBe(false);
});

test("an expectation with a max of 0 forbids a call", () => {
  const store = storeOfMock({ mode: "lenient", expectations: [{ tool: "delete", max: 0 }] });

  expect(store.verdict(asking())?.met).toBe(true);
  expect(store.claim(toolTarget("delete"), {}, asking())).toMatchObject({
    kind: "unexpected",
    reason: "a.json:expectations[0] says that it must not come",
  });
  expect(store.verdict(asking())?.met).toBe(false);
});

test("a verdict is pending from a test's last call until it is asked for", () => {
  const store = storeOfMock(ORDERED);
  const pending = () => store.pendingVerdicts().map(({ testId }) => testId);

  expect(pending()).toEqual([null]);
  store.claim(toolTarget("search"), {}, asking({ testId: "a" }));
  expect(pending()).toEqual(["a"]);
  expect(store.finalize("mockmcp_finalize", asking({ testId: "a" }))?.met).toBe(false);
  expect(pending()).toEqual([]);
  store.claim(toolTarget("merge"), { base: "main" }, asking({ testId: "a" }));
  expect(pending()).toEqual(["a"]);
});

test.each<[Partial<typeof SCRIPT_DEFAULTS>, object, string]>([
  [{ mode: "lenient", defaultMode: "strict" }, { mode: "strict" }, "lenient"],
  [{ defaultMode: "strict" }, { mode: "lenient" }, "lenient"],
  [{ defaultMode: "lenient" }, {}, "lenient"],
  [{ mode: "strict" }, { mode: "lenient" }, "strict"],
  [{}, {}, "strict"],
])("settings %j and a file of %j make it %s", (settings, file, mode) => {
  const store = storeOfMock({ ...file, ...ORDERED }, { ...SCRIPT_DEFAULTS, ...settings });
  // Only strict minds the order.
  expect(store.claim(toolTarget("merge"), { base: "main" }, asking()).kind).toBe(
    mode === "strict" ? "unexpected" : "answered",
  );
});

function storeOfMock(file: object, settings = SCRIPT_DEFAULTS): FakeStore {
  const store = emptyStore({ settings: () => settings });
  store.add([{ source: "a.json", blockIndex: null, raw: file, dialect: "mock" }], "file");
  return store;
}

/** The text or the error that a call gets. */
function textOf(store: FakeStore, tool: string, args: Json = {}, testId: string | null = null): unknown {
  const outcome = store.claim(toolTarget(tool), args, asking({ testId }));
  if (outcome.kind !== "answered") return outcome.kind;
  if (outcome.answer.kind === "protocol-error") return outcome.answer.error;
  const [first] =
    outcome.answer.kind === "result" && Array.isArray(outcome.answer.result.content)
      ? outcome.answer.result.content
      : [];
  return typeof first === "object" && first !== null && "text" in first ? first.text : first;
}
