import { expect, test } from "vitest";
import { differences, MATCH_FIELDS, matches, type TurnMatch } from "../../src/llm/match.ts";
import type { Turn, TurnMessage } from "../../src/llm/turn.ts";

const CALLED: TurnMessage = {
  role: "assistant",
  text: "",
  toolCalls: [{ id: "call_1", name: "get_weather", arguments: "{}" }],
};

const MESSAGES: readonly TurnMessage[] = [
  { role: "system", text: "You are a poet." },
  { role: "system", text: "Be brief." },
  { role: "user", text: "weather in Seattle" },
  CALLED,
  { role: "tool", text: '{"tempF":60}', toolCallId: "call_1" },
];

const TURN: Turn = {
  endpoint: "chat",
  model: "gpt-4o-2024-08-06",
  messages: MESSAGES,
  tools: ["get_weather", "get_time"],
  responseFormat: "json_schema",
  inputs: [],
  stream: false,
};

/** For each key: a value that this turn satisfies, one that it does not, and what is then said. */
const CASES: readonly (readonly [holds: TurnMatch, fails: TurnMatch, difference: string])[] = [
  [{ endpoint: "chat" }, { endpoint: "embedding" }, 'match.endpoint: expected "embedding", received "chat"'],
  [{ context: "docs" }, { context: "other" }, 'match.context: expected "other", received "docs"'],
  [{ model: "gpt-4o" }, { model: "gpt-4" }, 'match.model: expected "gpt-4", received "gpt-4o-2024-08-06"'],
  [
    { model: /^gpt/ },
    { model: /^claude/ },
    'match.model: expected a name matching /^claude/, received "gpt-4o-2024-08-06"',
  ],
  [
    { toolCallId: "call_1" },
    { toolCallId: "call_2" },
    'match.toolCallId: expected the last message to be the result of tool call "call_2", received "call_1"',
  ],
  [
    { userMessage: "in Seattle" },
    { userMessage: "in Paris" },
    'match.userMessage: expected text containing "in Paris", received "weather in Seattle"',
  ],
  [
    { userMessage: /seattle/i },
    { userMessage: /paris/i },
    'match.userMessage: expected text matching /paris/i, received "weather in Seattle"',
  ],
  [
    { toolResultContains: '"tempF":60' },
    { toolResultContains: "rain" },
    'match.toolResultContains: expected the last message to be a tool result with text containing "rain", received "{\\"tempF\\":60}"',
  ],
  [
    { systemMessage: "poet.\nBe" },
    { systemMessage: "prophet" },
    'match.systemMessage: expected text containing "prophet", received "You are a poet.\\nBe brief."',
  ],
  [
    { systemMessage: ["brief", "poet"] },
    { systemMessage: ["brief", "prophet"] },
    'match.systemMessage: expected text containing each of ["brief","prophet"], received "You are a poet.\\nBe brief."',
  ],
  [{ hasToolResult: true }, { hasToolResult: false }, "match.hasToolResult: expected false, received true"],
  [
    { toolName: "get_time" },
    { toolName: "get_date" },
    'match.toolName: expected the request to offer a tool "get_date", received ["get_weather","get_time"]',
  ],
  [
    { responseFormat: "json_schema" },
    { responseFormat: "text" },
    'match.responseFormat: expected "text", received "json_schema"',
  ],
  [
    { sequenceIndex: 2 },
    { sequenceIndex: 0 },
    "match.sequenceIndex: expected to be asked for the 1st time, received for the 3rd time",
  ],
];

test.each(CASES)("%o holds and %o does not", (holds, fails, difference) => {
  const asking = { turn: TURN, context: "docs", count: 2 };
  expect([matches(holds, asking), differences(holds, asking)]).toEqual([true, []]);
  expect([matches(fails, asking), differences(fails, asking)]).toEqual([false, [difference]]);
});

test("every field of the table is among the cases, or has a test of its own", () => {
  const tested = new Set(CASES.flatMap(([holds]) => Object.keys(holds)));
  const rest = MATCH_FIELDS.map(({ key }) => key).filter((key) => !tested.has(key));
  expect(rest).toEqual(["inputText", "predicate"]);
});

test("inputText looks at all texts to embed, and at no conversation", () => {
  const asking = { turn: { ...TURN, messages: [], inputs: ["rain", "sun"] }, context: null, count: 0 };
  expect(matches({ inputText: "rain\nsun" }, asking)).toBe(true);
  expect(matches({ inputText: "rain" }, { ...asking, turn: TURN })).toBe(false);
});

test("a predicate gets the request in the shape of a chat request", () => {
  const asking = { turn: TURN, context: null, count: 0 };
  const seen: unknown[] = [];
  const predicate = (request: unknown) => seen.push(request) > 1;
  expect([matches({ predicate }, asking), matches({ predicate }, asking)]).toEqual([false, true]);
  expect(seen[0]).toEqual({
    model: "gpt-4o-2024-08-06",
    messages: [
      { role: "system", content: "You are a poet." },
      { role: "system", content: "Be brief." },
      { role: "user", content: "weather in Seattle" },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "call_1", type: "function", function: { name: "get_weather", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "call_1", content: '{"tempF":60}' },
    ],
    tools: [
      { type: "function", function: { name: "get_weather" } },
      { type: "function", function: { name: "get_time" } },
    ],
    response_format: { type: "json_schema" },
    stream: false,
  });
});

test.each([
  ["gpt-4o", "gpt-4o", true],
  ["gpt-4o", "gpt-4o-2024-08-06", true],
  ["gpt-4o", "gpt-4o-mini", false],
  ["gpt-4o", "gpt-4o2", false],
  ["gpt-4o-2024-08-06", "gpt-4o", false],
])("a fixture for %s and a request for %s: %s", (wanted, asked, holds) => {
  const asking = { turn: { ...TURN, model: asked }, context: null, count: 0 };
  expect(matches({ model: wanted }, asking)).toBe(holds);
});

test("the last user message is the last that has text", () => {
  const image: TurnMessage = { role: "user", text: "" };
  const asking = { turn: { ...TURN, messages: [...MESSAGES, image] }, context: null, count: 0 };
  expect(matches({ userMessage: "Seattle" }, asking)).toBe(true);
});

test("a tool's result counts until the user speaks again, and its text only while it is the last message", () => {
  const later = { turn: { ...TURN, messages: [...MESSAGES, CALLED] }, context: null, count: 0 };
  expect([matches({ hasToolResult: true }, later), matches({ toolCallId: "call_1" }, later)]).toEqual([true, false]);
  const spoken: TurnMessage = { role: "user", text: "thanks" };
  const asking = { ...later, turn: { ...TURN, messages: [...MESSAGES, spoken] } };
  expect([matches({ hasToolResult: true }, asking), matches({ toolCallId: "call_1" }, asking)]).toEqual([false, false]);
});

test("without a user, any tool's result counts", () => {
  const asking = { turn: { ...TURN, messages: MESSAGES.slice(3) }, context: null, count: 0 };
  expect(matches({ hasToolResult: true }, asking)).toBe(true);
});
