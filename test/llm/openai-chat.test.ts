import { expect, test } from "vitest";
import { collect, startModels, TWO_CALLS } from "../_support/models.ts";

const ASK = { model: "gpt-4o", messages: [{ role: "user" as const, content: "weather in Seattle" }] };

test("a text answer", async () => {
  const { openai } = await startModels([{ match: {}, response: { content: "It is raining." } }]);
  const completion = await openai.chat.completions.create(ASK);
  expect(completion).toEqual({
    id: expect.stringMatching(/^chatcmpl-/),
    object: "chat.completion",
    created: expect.any(Number),
    model: "gpt-4o",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "It is raining.", refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 },
  });
});

test("two tool calls at once", async () => {
  const { openai } = await startModels([{ match: {}, response: TWO_CALLS }]);
  const { choices } = await openai.chat.completions.create(ASK);
  expect(choices[0]?.finish_reason).toBe("tool_calls");
  expect(choices[0]?.message).toEqual({
    role: "assistant",
    content: null,
    refusal: null,
    tool_calls: [
      { id: "call_seattle", type: "function", function: { name: "get_weather", arguments: '{"city":"Seattle"}' } },
      { id: "call_paris", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
    ],
  });
});

test("a stream that the client puts together again", async () => {
  const content = "It is raining in Seattle 🌧️, and it will go on raining.";
  const { openai } = await startModels([{ match: {}, response: { content, ...TWO_CALLS }, chunkSize: 7 }]);
  const stream = openai.chat.completions.stream({ ...ASK, stream_options: { include_usage: true } });
  const deltas: string[] = [];
  stream.on("content", (delta) => deltas.push(delta));
  const { choices, usage } = await stream.finalChatCompletion();
  expect(deltas.join("")).toBe(content);
  expect(deltas.length).toBeGreaterThan(7);
  expect(choices[0]?.message.content).toBe(content);
  expect(choices[0]?.message.tool_calls).toMatchObject([
    { id: "call_seattle", function: { arguments: '{"city":"Seattle"}' } },
    { id: "call_paris", function: { arguments: '{"city":"Paris"}' } },
  ]);
  expect(choices[0]?.finish_reason).toBe("tool_calls");
  expect(usage?.total_tokens).toBeGreaterThan(0);
});

test("the chunks of a stream", async () => {
  const { openai } = await startModels([{ match: {}, response: { content: "Hello, world!" }, chunkSize: 10 }]);
  const chunks = await collect(await openai.chat.completions.create({ ...ASK, stream: true }));
  expect(chunks.map((chunk) => [chunk.choices[0]?.delta, chunk.choices[0]?.finish_reason])).toEqual([
    [{ role: "assistant", content: "" }, null],
    [{ content: "Hello, wor" }, null],
    [{ content: "ld!" }, null],
    [{}, "stop"],
  ]);
  expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
});

test("blocks keep their order in a stream", async () => {
  const blocks = [
    { type: "toolCall" as const, id: "call_1", name: "look", arguments: "{}" },
    { type: "text" as const, text: "Looking." },
  ];
  const { openai } = await startModels([{ match: {}, response: { blocks } }]);
  const chunks = await collect(await openai.chat.completions.create({ ...ASK, stream: true }));
  const deltas = chunks.map((chunk) => chunk.choices[0]?.delta);
  expect(deltas.slice(1, -1)).toEqual([
    { tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "look", arguments: "" } }] },
    { tool_calls: [{ index: 0, function: { arguments: "{}" } }] },
    { content: "Looking." },
  ]);
});

test("reasoning, as the compatible servers send it", async () => {
  const { openai } = await startModels([{ match: {}, response: { content: "Rain.", reasoning: "Clouds are dark." } }]);
  const { choices, usage } = await openai.chat.completions.create(ASK);
  expect(choices[0]?.message).toMatchObject({ content: "Rain.", reasoning_content: "Clouds are dark." });
  expect(usage?.completion_tokens_details?.reasoning_tokens).toBe(4);
  const chunks = await collect(await openai.chat.completions.create({ ...ASK, stream: true }));
  const reasoned = chunks.map((chunk) => Reflect.get(chunk.choices[0]?.delta ?? {}, "reasoning_content") ?? "");
  expect(reasoned.join("")).toBe("Clouds are dark.");
});

test("everything that a fixture can set on the envelope", async () => {
  const response = {
    content: "Cut",
    id: "chatcmpl-7",
    created: 1_700_000_000,
    model: "gpt-4o-2024-08-06",
    finishReason: "length",
    systemFingerprint: "fp_1",
    role: "assistant",
    usage: { input_tokens: 10, output_tokens: 5, input_tokens_details: { cached_tokens: 3 } },
  };
  const { openai } = await startModels([{ match: {}, response }]);
  const completion = await openai.chat.completions.create(ASK);
  expect(completion).toMatchObject({
    id: "chatcmpl-7",
    created: 1_700_000_000,
    model: "gpt-4o-2024-08-06",
    system_fingerprint: "fp_1",
    choices: [{ finish_reason: "length" }],
    usage: {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 3 },
    },
  });
});

test("an error with its status, code and retry-after", async () => {
  const error = { message: "Slow down", type: "rate_limit_error", code: "rate_limit_exceeded" };
  const { openai } = await startModels([{ match: {}, response: { error, status: 429, retryAfter: 7 } }]);
  const refusal = await openai.chat.completions.create(ASK).catch((thrown) => thrown);
  expect(refusal).toMatchObject({
    name: "Error",
    status: 429,
    code: "rate_limit_exceeded",
    type: "rate_limit_error",
    param: null,
    error,
  });
  expect(refusal.message).toBe("429 Slow down");
  expect(refusal.headers.get("retry-after")).toBe("7");
  expect(refusal.headers.get("x-ratelimit-remaining-requests")).toBe("0");
});
