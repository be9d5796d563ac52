import { expect, test } from "vitest";
import type { LlmFixture } from "../../src/fixtures/llm-types.ts";
import { createTurnScripts } from "../../src/llm/scripts.ts";
import { createTurnStore, type TurnStoreOptions } from "../../src/llm/store.ts";
import type { Turn } from "../../src/llm/turn.ts";

/** A store with a script, and a way to ask it: the answer's text, or how it was refused. */
function script(fixtures: readonly LlmFixture[], options: Partial<TurnStoreOptions> = {}) {
  const store = createTurnStore({ cap: 0, aliases: () => [], evicting() {}, ...options });
  const add = (more: readonly LlmFixture[], owner: string | null = null) => {
    const turns = createTurnScripts(store).prepare([{ source: null, fixtures: more }], { origin: "code", owner });
    expect(turns.errors).toEqual([]);
    turns.commit();
  };
  add(fixtures);
  const ask = (text: string, { testId = null, context = null, turns = 0 }: Asker = {}) => {
    const outcome = store.ask(turnOf(text, turns), { testId, context, undeclared: null });
    if (outcome.kind !== "fixture" || outcome.fixture.reply.kind !== "message") return outcome;
    return outcome.fixture.reply.blocks.map((block) => (block.type === "text" ? block.text : block.name)).join("");
  };
  return { store, add, ask };
}

interface Asker {
  readonly testId?: string | null;
  readonly context?: string | null;
  /** Assistant messages before. */
  readonly turns?: number;
}

function turnOf(text: string, turns: number): Turn {
  const before = Array.from({ length: turns }, () => ({ role: "assistant" as const, text: "so", toolCalls: [] }));
  return {
    endpoint: "chat",
    model: "m",
    messages: [...before, { role: "user", text }],
    tools: [],
    responseFormat: null,
    inputs: [],
    stream: false,
  };
}

const say = (content: string, match: LlmFixture["match"] = {}): LlmFixture => ({ match, response: { content } });

test("the first that fits answers, in order of registration", () => {
  const { ask } = script([say("no", { userMessage: "x" }), say("one", { userMessage: "hi" }), say("two")]);
  expect([ask("hi"), ask("hi"), ask("else")]).toEqual(["one", "one", "two"]);
});

test.each([
  ["a plain one first", [say("plain"), say("t0", { turnIndex: 0 }), say("t2", { turnIndex: 2 })], "plain,t0,plain,t2"],
  ["a plain one last", [say("t0", { turnIndex: 0 }), say("t2", { turnIndex: 2 }), say("plain")], "t0,t0,t2,t2"],
  ["none plain, all to come", [say("t4", { turnIndex: 4 }), say("t2", { turnIndex: 2 })], "t2,t2,t2,t2"],
  ["one to come, one plain", [say("t2", { turnIndex: 2 }), say("plain")], "plain,plain,t2,t2"],
  ["twice the same index", [say("a", { turnIndex: 1 }), say("b", { turnIndex: 1 })], "a,a,a,a"],
])("turnIndex chooses: %s", (_name, fixtures, answers) => {
  const { ask } = script(fixtures);
  expect([0, 1, 2, 3].map((turns) => ask("hi", { turns })).join()).toBe(answers);
});

test("a sequence answers in its order, and then no more", () => {
  const { ask } = script([say("first", { sequenceIndex: 0 }), say("second", { sequenceIndex: 1 })]);
  expect([ask("hi"), ask("hi")]).toEqual(["first", "second"]);
  expect(ask("hi")).toEqual({
    kind: "no_match",
    outOfTurn: 2,
    closest: {
      fixtureId: "code#1:fixtures[0]",
      differences: ["match.sequenceIndex: expected to be asked for the 1st time, received for the 3rd time"],
    },
  });
});

test("a sequence counts what asks for the same, not what only looks alike", () => {
  const { ask } = script([
    say("a0", { userMessage: "a", sequenceIndex: 0 }),
    say("a1", { userMessage: "a", sequenceIndex: 1 }),
    say("b0", { userMessage: "b", sequenceIndex: 0 }),
    say("r1", { userMessage: /b/, sequenceIndex: 1 }),
    say("rest"),
  ]);
  expect([ask("a"), ask("b"), ask("a"), ask("b")]).toEqual(["a0", "b0", "a1", "rest"]);
});

test("each test id counts for itself, and so do requests without one", () => {
  const { ask, store } = script([say("first", { sequenceIndex: 0 }), say("second", { sequenceIndex: 1 })]);
  const both = (testId: string | null) => [ask("hi", { testId }), ask("hi", { testId })];
  expect([both("one"), both("two"), both(null)].flat()).toEqual(Array(3).fill(["first", "second"]).flat());
  store.reset("one");
  expect([ask("hi", { testId: "one" }), ask("hi", { testId: "two" })]).toMatchObject(["first", { kind: "no_match" }]);
});

test("the most specific scope answers", () => {
  const { ask } = script([
    say("shared"),
    { ...say("context"), scope: { context: "C" } },
    { ...say("test"), scope: { testId: "T" } },
    { ...say("both"), scope: { testId: "T", context: "C" } },
  ]);
  const asked = [
    ask("hi"),
    ask("hi", { context: "C" }),
    ask("hi", { testId: "T" }),
    ask("hi", { testId: "T", context: "C" }),
    ask("hi", { testId: "other", context: "other" }),
  ];
  expect(asked).toEqual(["shared", "context", "test", "both", "shared"]);
});

test("a scope that has nothing for the request leaves it to the wider one", () => {
  const { ask } = script([say("shared"), { ...say("mine", { userMessage: "mine" }), scope: { testId: "T" } }]);
  expect([ask("mine", { testId: "T" }), ask("else", { testId: "T" })]).toEqual(["mine", "shared"]);
});

test("a scope is met by an announced test's names as well as by its id", () => {
  const aliases = (testId: string) => (testId === "a.test.ts › works" ? ["works"] : []);
  const { ask, store } = script([{ ...say("mine"), scope: { testId: "works" } }], { aliases });
  expect(ask("hi", { testId: "b.test.ts › works" })).toMatchObject({ kind: "no_match", closest: null });
  expect(store.unasked({ testId: "a.test.ts › works", context: null })).toHaveLength(1);
  expect(ask("hi", { testId: "a.test.ts › works" })).toBe("mine");
  expect(store.unasked({ testId: "a.test.ts › works", context: null })).toEqual([]);
});

test("unasked are the test's own, without optional ones", () => {
  const { store } = script([
    say("shared"),
    { ...say("context"), scope: { context: "C" } },
    { ...say("test"), scope: { testId: "T" } },
    { ...say("optional"), scope: { testId: "T" }, optional: true },
    { ...say("both"), scope: { testId: "T", context: "C" } },
  ]);
  const ids = (context: string | null) => store.unasked({ testId: "T", context }).map(({ id }) => id);
  expect(ids(null)).toEqual(["code#1:fixtures[2]"]);
  expect(ids("C")).toEqual(["code#1:fixtures[2]", "code#1:fixtures[4]"]);
  expect(store.contextsOf("T")).toEqual(["C"]);
});

test("the closest is the one with the fewest keys that differ, and of these the one with the most that hold", () => {
  const { ask } = script([
    say("far", { userMessage: "x", model: "y" }),
    say("near", { userMessage: "x" }),
    say("nearer", { userMessage: "x", model: "m", hasToolResult: false }),
  ]);
  expect(ask("hi")).toMatchObject({
    closest: {
      fixtureId: "code#1:fixtures[2]",
      differences: ['match.userMessage: expected text containing "x", received "hi"'],
    },
  });
});

test("of two that are as close, the one that the test has not used is told", () => {
  const { ask } = script([say("one", { userMessage: "refund" }), say("two", { userMessage: "ticket" })]);
  expect(ask("refund", { testId: "T" })).toBe("one");
  expect(ask("hi", { testId: "T" })).toMatchObject({ closest: { fixtureId: "code#1:fixtures[1]" } });
  expect(ask("hi", { testId: "other" })).toMatchObject({ closest: { fixtureId: "code#1:fixtures[0]" } });
});

test("a queued error comes before every fixture, once", () => {
  const { ask, store } = script([say("hello")]);
  const error = {
    kind: "error",
    status: 500,
    message: "no",
    type: null,
    param: null,
    code: null,
    retryAfter: null,
  } as const;
  store.queueError(error, "T");
  store.queueError(error, null);
  expect(ask("hi", { testId: "other" })).toEqual({ kind: "queued", reply: error });
  expect(ask("hi", { testId: "other" })).toBe("hello");
  expect([ask("hi", { testId: "T" }), ask("hi", { testId: "T" })]).toEqual([{ kind: "queued", reply: error }, "hello"]);
});

test("a test id whose counts were dropped is told so until it is reset", () => {
  const { ask, store } = script([say("first", { sequenceIndex: 0 })], { cap: 1 });
  expect(ask("hi", { testId: "old" })).toBe("first");
  expect(ask("hi", { testId: "new" })).toBe("first");
  expect([ask("hi", { testId: "old" }), store.isEvicted("old")]).toEqual([{ kind: "evicted", cap: 1 }, true]);
  store.reset("old");
  expect(ask("hi", { testId: "old" })).toBe("first");
});

test("the turns of a test go with it, others stay", () => {
  const { ask, add, store } = script([say("everyone's")]);
  add([{ ...say("mine"), scope: { testId: "T" } }], "T");
  expect(ask("hi", { testId: "T" })).toBe("mine");
  store.removeOwnedBy("T");
  expect([ask("hi", { testId: "T" }), store.fixtures().length]).toEqual(["everyone's", 1]);
  store.clear();
  expect(ask("hi")).toEqual({ kind: "no_match", closest: null, outOfTurn: 0 });
});
