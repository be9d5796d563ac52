import fc from "fast-check";
import { expect, test } from "vitest";
import { createFakeStore } from "../../src/fakes/store.ts";
import { toolTarget } from "../../src/fakes/target.ts";
import { blockSources } from "../../src/fixtures/block-sources.ts";
import type { McpFakeBlock, McpFakeCall, McpFakeScope } from "../../src/fixtures/types.ts";
import type { Identity } from "../../src/identity.ts";
import type { JsonObject } from "../../src/json.ts";
import { asking, sharedTool, storeOf } from "../_support/fakes.ts";

const json = () => fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes("__proto__"));
const args = () =>
  fc.dictionary(fc.string(), json(), { noNullPrototype: true }).filter(isClean) as fc.Arbitrary<JsonObject>;

test("an entry answers its arguments whatever their key order", () => {
  fc.assert(
    fc.property(args(), (declared) => {
      const received = Object.fromEntries(Object.entries(declared).reverse());
      const store = storeOf(sharedTool("t", { args: declared, result: "ok" }));
      expect(store.claim(toolTarget("t"), received, asking()).kind).toBe("answered");
    }),
  );
});

test("an entry never answers an array in another order", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { minLength: 2 }), (list) => {
      const store = storeOf(sharedTool("t", { args: { list }, result: "ok" }));
      expect(store.claim(toolTarget("t"), { list: [...list].reverse() }, asking()).kind).toBe("mismatch");
    }),
  );
});

test("calls in any order use each entry once at most, and all that match are used", () => {
  const numbers = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 });
  fc.assert(
    fc.property(numbers, numbers, (declared, called) => {
      const store = storeOf(
        sharedTool("t", { args: { n: -1 }, result: "ok" }, ...declared.map((n) => ({ args: { n }, result: "ok" }))),
      );
      const answered = called.flatMap((n) => {
        const outcome = store.claim(toolTarget("t"), { n }, asking());
        return outcome.kind === "answered" ? outcome.entry.id : [];
      });
      const count = (list: readonly number[], n: number) => list.filter((each) => each === n).length;
      expect(new Set(answered).size).toBe(answered.length);
      expect(answered.length).toBe(
        [0, 1, 2, 3].reduce((sum, n) => sum + Math.min(count(declared, n), count(called, n)), 0),
      );
    }),
  );
});

// --- the store against a model of the rules that knows no index ---

const TEST_IDS = ["f › a", "g › a", "a", "__default__"];
const ALIASES: Record<string, readonly string[]> = { "f › a": ["a"], "g › a": ["a", "a"] };
const scope = fc.oneof(
  fc.constant<McpFakeScope>("shared"),
  fc.record({ testId: fc.constantFrom(...TEST_IDS) }),
  fc.record({ context: fc.constantFrom("c", "d") }),
  fc.record({ testId: fc.constantFrom(...TEST_IDS), context: fc.constantFrom("c", "d") }),
);
const call = fc.oneof(
  fc.constant<McpFakeCall>({ anyArgs: true, result: "ok" }),
  fc.integer({ min: 0, max: 2 }).map((n): McpFakeCall => ({ args: { n }, result: "ok" })),
);
const tool = fc.record({ name: fc.constantFrom("t", "u"), calls: fc.array(call, { minLength: 1, maxLength: 3 }) });
const block = fc
  .record({ scope, deny: fc.boolean(), tools: fc.uniqueArray(tool, { minLength: 1, selector: ({ name }) => name }) })
  .map(
    ({ scope, deny, tools }): McpFakeBlock => ({
      scope,
      tools,
      ...(deny && scope !== "shared" ? { undeclaredTools: "deny" } : {}),
    }),
  );
const identity = fc.record<Identity>({
  testId: fc.constantFrom(null, ...TEST_IDS),
  context: fc.constantFrom(null, "c", "d"),
  undeclared: fc.constantFrom(null, null, null, "allow", "deny"),
});
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("claim" as const),
      identity,
      tool: fc.constantFrom("t", "u", "v"),
      n: fc.integer({ min: 0, max: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("add" as const), block }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), which: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("reset" as const), testId: fc.constantFrom(undefined, ...TEST_IDS) }),
  },
);

test("the store does what a plain reading of the rules does, whatever the order of adds, claims, removals and resets", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3 }),
      fc.array(block, { maxLength: 6 }),
      fc.array(step, { maxLength: 40 }),
      (cap, blocks, steps) => {
        const store = createFakeStore({ mount: () => "/mcp", cap, aliases: (id) => ALIASES[id] ?? [] });
        const model = createModel(cap);
        for (const each of [...blocks.map((block) => ({ do: "add" as const, block })), ...steps]) {
          switch (each.do) {
            case "add":
              store.add(blockSources(each.block, null), "code");
              model.add(each.block);
              break;
            case "remove": {
              const id = model.ids()[each.which % (model.ids().length || 1)] ?? "none";
              expect(store.removeBlock(id)).toBe(model.remove(id));
              break;
            }
            case "reset":
              store.reset(each.testId);
              model.reset(each.testId);
              break;
            case "claim": {
              const outcome = store.claim(toolTarget(each.tool), { n: each.n }, each.identity);
              const told = outcome.kind === "answered" ? outcome.entry.id : outcome.kind;
              expect(told).toBe(model.claim(each.tool, each.n, each.identity));
              break;
            }
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});

interface ModelEntry {
  readonly id: string;
  readonly matches: (n: number) => boolean;
}

function createModel(cap: number) {
  let count = 0;
  let loaded: { id: string; block: McpFakeBlock }[] = [];
  const used = new Map<string | null, Set<ModelEntry>>();
  const evicted = new Set<string>();
  const entries = new Map<McpFakeCall, ModelEntry>();

  const rank = ({ scope }: McpFakeBlock, { testId, context }: Identity): number | null => {
    if (scope === "shared") return 3;
    const names = testId === null ? [] : [testId, ...(ALIASES[testId] ?? [])];
    if (scope.testId !== undefined && !names.includes(scope.testId)) return null;
    if (scope.context !== undefined && scope.context !== context) return null;
    return scope.testId === undefined ? 2 : scope.context === undefined ? 1 : 0;
  };

  return {
    ids: () => loaded.map(({ id }) => id),
    add(block: McpFakeBlock) {
      const copy: McpFakeBlock = JSON.parse(JSON.stringify(block)); // entries that the generator shares become two
      const id = `code#${++count}`;
      for (const { name, calls } of copy.tools ?? []) {
        for (const [index, call] of calls.entries()) {
          entries.set(call, {
            id: `${id}:${name}#${index}`,
            matches: (n) => call.anyArgs === true || JSON.stringify(call.args) === JSON.stringify({ n }),
          });
        }
      }
      loaded.push({ id, block: copy });
    },
    remove(id: string) {
      const before = loaded.length;
      loaded = loaded.filter((each) => each.id !== id);
      return loaded.length < before;
    },
    reset(testId?: string) {
      if (testId === undefined || testId === "__default__") used.delete(null);
      for (const id of testId === undefined ? TEST_IDS : [testId]) {
        used.delete(id);
        evicted.delete(id);
      }
    },
    claim(tool: string, n: number, identity: Identity): string {
      const applicable = loaded.filter(({ block }) => rank(block, identity) !== null);
      for (const level of [0, 1, 2, 3]) {
        const candidates = applicable
          .filter(({ block }) => rank(block, identity) === level)
          .flatMap(({ block }) => (block.tools ?? []).filter(({ name }) => name === tool).flatMap(({ calls }) => calls))
          .flatMap((call) => entries.get(call) ?? []);
        if (candidates.length === 0) continue;
        const { testId } = identity;
        if (testId !== null && evicted.has(testId)) return "evicted";
        const matching = candidates.filter(({ matches }) => matches(n));
        const free = matching.find((entry) => !used.get(testId)?.has(entry));
        if (free === undefined) return matching.length > 0 ? "exhausted" : "mismatch";
        used.set(testId, (used.get(testId) ?? new Set()).add(free));
        const tagged = [...used.keys()].filter((id) => id !== null);
        if (cap > 0 && tagged.length > cap && tagged[0] !== undefined) {
          used.delete(tagged[0]);
          evicted.add(tagged[0]);
        }
        return free.id;
      }
      const denied = applicable.some(({ block }) => block.undeclaredTools === "deny");
      return (identity.undeclared ?? (denied ? "deny" : "allow")) === "deny" ? "not_declared" : "unfaked";
    },
  };
}

function isClean(value: object): boolean {
  return !JSON.stringify(value).includes("__proto__");
}
