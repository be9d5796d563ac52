import fc from "fast-check";
import { expect, test } from "vitest";
import { readLlmFixtures } from "../../src/fixtures/llm.ts";
import type { LlmMatch } from "../../src/fixtures/llm-types.ts";
import type { TurnFixture } from "../../src/llm/fixture.ts";
import { createFixtureIndex } from "../../src/llm/fixture-index.ts";
import { matches } from "../../src/llm/match.ts";
import type { Turn, TurnMessage } from "../../src/llm/turn.ts";

function fixturesOf(wanted: readonly LlmMatch[]): readonly TurnFixture[] {
  const fixtures = wanted.map((match) => ({ match, response: { content: "" } }));
  const reading = readLlmFixtures({ source: "code#1", fixtures });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.fixtures;
}

function indexOf(wanted: readonly LlmMatch[]) {
  const index = createFixtureIndex();
  for (const [order, fixture] of fixturesOf(wanted).entries()) index.add(fixture, order);
  return index;
}

function turnOf(messages: readonly TurnMessage[]): Turn {
  return { endpoint: "chat", model: "m", messages, tools: [], responseFormat: null, inputs: [], stream: false };
}

const numbers = Array.from({ length: 10_000 }, (_, index) => index);

test.each([
  ["a user message", (n: number): LlmMatch => ({ userMessage: `open a refund ticket no ${n}!` })],
  ["a system text", (n: number): LlmMatch => ({ systemMessage: `open a refund ticket no ${n}!` })],
  ["a tool's result", (n: number): LlmMatch => ({ toolResultContains: `open a refund ticket no ${n}!` })],
  ["a tool call's id", (n: number): LlmMatch => ({ toolCallId: `call_${n}` })],
])("of 10,000 fixtures for %s, few are held against a request", (_name, match) => {
  const index = indexOf(numbers.map(match));
  const text = "Please open a refund ticket no 4321! Thank you.";
  const found = index.candidates(
    turnOf([
      { role: "system", text },
      { role: "user", text },
      { role: "tool", text, toolCallId: "call_4321" },
    ]),
  );
  expect(found.map(({ order }) => order)).toContain(4321);
  expect(found.length).toBeLessThan(50);
});

test("what cannot be filed is a candidate for every request", () => {
  const index = indexOf([
    ...numbers.map((n) => ({ userMessage: `number ${n}` })),
    {},
    { model: "m" },
    { userMessage: /./ },
  ]);
  const found = index.candidates(turnOf([{ role: "user", text: "hi" }]));
  expect(found.map(({ order }) => order)).toEqual([10_000, 10_001, 10_002]);
});

test("the index never leaves out a fixture that takes the request", () => {
  const words = fc.stringMatching(/^[abc ]{0,9}$/);
  const wanted = fc.array(
    fc.record(
      { userMessage: words, systemMessage: words, toolResultContains: words, toolCallId: fc.constantFrom("a", "b") },
      { requiredKeys: [] },
    ),
    { minLength: 33, maxLength: 60 },
  );
  fc.assert(
    fc.property(wanted, fc.stringMatching(/^[abc ]{0,30}$/), (match, text) => {
      const index = indexOf(match);
      const turn = turnOf([
        { role: "system", text },
        { role: "user", text: `${text} ` },
        { role: "tool", text, toolCallId: "a" },
      ]);
      const takers = index.all().filter(({ fixture }) => matches(fixture.match, { turn, context: null, count: 0 }));
      expect(index.candidates(turn)).toEqual(expect.arrayContaining(takers));
    }),
  );
});

test("what was removed is no candidate any more", () => {
  const fixtures = fixturesOf(numbers.slice(0, 100).map((n) => ({ userMessage: `number ${n}.` })));
  const index = createFixtureIndex();
  for (const [order, fixture] of fixtures.entries()) index.add(fixture, order);
  for (const fixture of fixtures.slice(0, 60)) index.remove(fixture);
  const found = (text: string) => index.candidates(turnOf([{ role: "user", text }])).map(({ order }) => order);
  expect([found("number 7."), found("number 77.")]).toEqual([[], [77]]);
  expect(index.all()).toHaveLength(40);
});
