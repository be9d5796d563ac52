import { expect, test } from "vitest";
import { collect, startModels, TWO_CALLS } from "../_support/models.ts";

const ASK = {
  model: "claude-fake",
  max_tokens: 100,
  messages: [{ role: "user" as const, content: "weather in Seattle" }],
};

test("a text answer", async () => {
  const { anthropic } = await startModels([{ match: {}, response: { content: "It is raining." } }]);
  const message = await anthropic.messages.create(ASK);
  expect(message).toMatchObject({
    id: expect.stringMatching(/^msg_/),
    type: "message",
    role: "assistant",
    model: "claude-fake",
    content: [{ type: "text", text: "It is raining." }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 5, output_tokens: 4 },
  });
  expect(message._request_id).toMatch(/^req-/);
});

test("two tool calls at once, and the answer to their results", async () => {
  const { anthropic } = await startModels([
    { match: { systemMessage: "Be brief", userMessage: "Seattle", hasToolResult: false }, response: TWO_CALLS },
    { match: { toolCallId: "call_paris", toolResultContains: "sun" }, response: { content: "Rain and sun." } },
  ]);
  const asked = await anthropic.messages.create({ ...ASK, system: "Be brief." });
  expect(asked.stop_reason).toBe("tool_use");
  expect(asked.content).toEqual([
    { type: "tool_use", id: "call_seattle", name: "get_weather", input: { city: "Seattle" } },
    { type: "tool_use", id: "call_paris", name: "get_weather", input: { city: "Paris" } },
  ]);
  const answered = await anthropic.messages.create({
    ...ASK,
    messages: [
      ...ASK.messages,
      { role: "assistant", content: asked.content },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "call_seattle", content: "rain" },
          { type: "tool_result", tool_use_id: "call_paris", content: [{ type: "text", text: "sun" }] },
        ],
      },
    ],
  });
  expect(answered.content).toMatchObject([{ type: "text", text: "Rain and sun." }]);
});

test("thinking, signed and redacted", async () => {
  const response = {
    content: "Rain.",
    reasoning: "Clouds are dark.",
    reasoningSignature: "c2lnbmVk",
    redactedThinking: ["aGlkZGVu"],
  };
  const { anthropic } = await startModels([{ match: {}, response }]);
  const { content } = await anthropic.messages.create(ASK);
  const thought = [
    { type: "redacted_thinking", data: "aGlkZGVu" },
    { type: "thinking", thinking: "Clouds are dark.", signature: "c2lnbmVk" },
    { type: "text", text: "Rain." },
  ];
  expect(content).toMatchObject(thought);
  const streamed = await anthropic.messages.stream(ASK).finalMessage();
  expect(streamed.content).toMatchObject(thought);
});

test("a stream that the client puts together again", async () => {
  const content = "It is raining in Seattle 🌧️, and it will go on raining.";
  const { anthropic } = await startModels([{ match: {}, response: { content, ...TWO_CALLS }, chunkSize: 7 }]);
  const stream = anthropic.messages.stream(ASK);
  const deltas: string[] = [];
  stream.on("text", (delta) => deltas.push(delta));
  const message = await stream.finalMessage();
  expect(deltas.join("")).toBe(content);
  expect(deltas.length).toBeGreaterThan(7);
  expect(message.content).toMatchObject([
    { type: "text", text: content },
    { type: "tool_use", id: "call_seattle", input: { city: "Seattle" } },
    { type: "tool_use", id: "call_paris", input: { city: "Paris" } },
  ]);
  expect(message.stop_reason).toBe("tool_use");
  expect(message.usage.output_tokens).toBeGreaterThan(1);
});

test("the events of a stream", async () => {
  const { anthropic } = await startModels([{ match: {}, response: { content: "Hello, world!" }, chunkSize: 10 }]);
  const events = await collect(await anthropic.messages.create({ ...ASK, stream: true }));
  expect(events.map(({ type }) => type)).toEqual([
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
});

test("everything that a fixture can set on the envelope", async () => {
  const response = {
    content: "Cut",
    id: "msg_7",
    model: "claude-fake-20250929",
    finishReason: "length",
    usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 },
  };
  const { anthropic } = await startModels([{ match: { model: "claude-fake" }, response }]);
  expect(await anthropic.messages.create(ASK)).toMatchObject({
    id: "msg_7",
    model: "claude-fake-20250929",
    stop_reason: "max_tokens",
    usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 },
  });
});

test("an error in the provider's own shape, with retry-after", async () => {
  const { anthropic } = await startModels([
    { match: {}, response: { error: { message: "Overloaded" }, status: 529, retryAfter: 3 } },
  ]);
  const refusal = await anthropic.messages.create(ASK).catch((thrown) => thrown);
  expect(refusal).toMatchObject({ status: 529, type: "overloaded_error", requestID: expect.stringMatching(/^req-/) });
  expect(refusal.error).toEqual({
    type: "error",
    error: { type: "overloaded_error", message: "Overloaded" },
    request_id: refusal.requestID,
  });
  expect(refusal.headers.get("retry-after")).toBe("3");
});
