import fc from "fast-check";
import { expect, test } from "vitest";
import { toolTarget } from "../../src/fakes/target.ts";
import { asking, emptyStore } from "../_support/fakes.ts";

// Scripts against a plain reading of their rules that knows no index, no conditions and no store.

const MODES = ["strict", "lenient", "passthrough"] as const;

const expectation = fc
  .record({ tool: fc.constantFrom("a", "b"), n: fc.option(fc.nat(1), { nil: null }), min: fc.nat(2), more: fc.nat(2) })
  .map(({ tool, n, min, more }) => ({ tool, n, min, max: min + more }));

const answers = fc.record({
  responses: fc.array(fc.option(fc.nat(1), { nil: null }), { maxLength: 2 }),
  sequence: fc.nat(2),
  default: fc.boolean(),
});

const script = fc.record({
  mode: fc.constantFrom(...MODES),
  expectations: fc.array(expectation, { maxLength: 4 }),
  tools: fc.record({ a: answers, b: answers }),
});

const calls = fc.array(
  fc.record({ tool: fc.constantFrom("a", "b"), n: fc.nat(1), testId: fc.constantFrom("x", "y") }),
  { maxLength: 12 },
);

type Script = typeof script extends fc.Arbitrary<infer Value> ? Value : never;
type Call = typeof calls extends fc.Arbitrary<(infer Value)[]> ? Value : never;

test("precedence, order and counts are those of the rules, whatever the script and the calls", () => {
  fc.assert(
    fc.property(script, calls, (given, made) => {
      const store = emptyStore();
      store.add([{ source: "s", blockIndex: null, raw: toFile(given), dialect: "mock" }], "file");
      const models = { x: createModel(given), y: createModel(given) };

      for (const call of made) {
        const outcome = store.claim(toolTarget(call.tool), { n: call.n }, asking({ testId: call.testId }));
        const answered = outcome.kind === "answered" ? outcome.entry.id.replace("s:", "") : outcome.kind;
        expect(answered).toBe(models[call.testId as "x" | "y"].answer(call));
      }
      for (const testId of ["x", "y"] as const) {
        expect(store.verdict(asking({ testId }))?.met).toBe(models[testId].isMet());
      }
    }),
    { numRuns: 500 },
  );
});

function toFile({ mode, expectations, tools }: Script): object {
  const whenOf = (n: number | null) => (n === null ? {} : { when: { args: { n } } });
  return {
    mode,
    expectations: expectations.map(({ tool, n, min, max }) => ({
      tool,
      ...whenOf(n),
      min,
      max,
      response: { text: "e" },
    })),
    tools: Object.entries(tools).map(([name, { responses, sequence, default: otherwise }]) => ({
      name,
      responses: responses.map((n) => ({ ...whenOf(n), text: "r" })),
      ...(sequence === 0 ? {} : { sequence: Array.from({ length: sequence }, () => ({ text: "s" })) }),
      ...(otherwise ? { default: { text: "d" } } : {}),
    })),
  };
}

function createModel({ mode, expectations, tools }: Script) {
  const used = expectations.map(() => 0);
  const before = { a: 0, b: 0 };
  let latest = 0;
  let strayed = false;

  const isOpen = (index: number) =>
    mode !== "strict" ||
    (index >= latest && expectations.every(({ min }, at) => at < latest || at >= index || (used[at] ?? 0) >= min));

  return {
    isMet: () => !strayed && expectations.every(({ min }, index) => (used[index] ?? 0) >= min),
    answer({ tool, n }: Call): string {
      const name = tool as "a" | "b";
      const place = before[name]++;
      const taken = expectations.findIndex(
        (each, index) =>
          each.tool === tool && (each.n === null || each.n === n) && (used[index] ?? 0) < each.max && isOpen(index),
      );
      if (taken !== -1) {
        used[taken] = (used[taken] ?? 0) + 1;
        latest = taken;
        return `expectations[${taken}]`;
      }
      if (mode !== "passthrough") {
        strayed = true;
        return "unexpected";
      }
      const { responses, sequence, default: otherwise } = tools[name];
      const response = responses.findIndex((each) => each === null || each === n);
      if (response !== -1) return `${tool}.responses[${response}]`;
      if (sequence > 0) return `${tool}.sequence[${Math.min(place, sequence - 1)}]`;
      return otherwise ? `${tool}.default` : "unexpected";
    },
  };
}
