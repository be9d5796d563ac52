import { expect, test } from "vitest";
import { collect, startModels, TWO_CALLS } from "../_support/models.ts";

const ASK = { model: "gpt-4o", input: "weather in Seattle" };

test("a text answer", async () => {
  const { openai } = await startModels([{ match: {}, response: { content: "It is raining." } }]);
  const response = await openai.responses.create({ ...ASK, instructions: "Be brief." });
  expect(response.output_text).toBe("It is raining.");
  expect(response).toMatchObject({
    id: expect.stringMatching(/^resp_/),
    object: "response",
    status: "completed",
    instructions: "Be brief.",
    model: "gpt-4o",
    output: [
      {
        id: expect.stringMatching(/^msg_/),
        type: "message",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "It is raining.", annotations: [] }],
      },
    ],
    usage: { input_tokens: 7, output_tokens: 4, total_tokens: 11 },
  });
});

test("two tool calls at once, and the answer to their results", async () => {
  const { openai } = await startModels([
    { match: { userMessage: "Seattle", hasToolResult: false }, response: TWO_CALLS },
    { match: { toolCallId: "call_paris", toolResultContains: "sun" }, response: { content: "Rain and sun." } },
  ]);
  const asked = await openai.responses.create(ASK);
  expect(asked.output).toMatchObject([
    { type: "function_call", call_id: "call_seattle", name: "get_weather", arguments: '{"city":"Seattle"}' },
    { type: "function_call", call_id: "call_paris", name: "get_weather", arguments: '{"city":"Paris"}' },
  ]);
  const answered = await openai.responses.create({
    model: "gpt-4o",
    input: [
      { role: "user", content: "weather in Seattle" },
      ...asked.output.filter((item) => item.type === "function_call"),
      { type: "function_call_output", call_id: "call_seattle", output: "rain" },
      { type: "function_call_output", call_id: "call_paris", output: "sun" },
    ],
  });
  expect(answered.output_text).toBe("Rain and sun.");
});

test("a stream that the client puts together again", async () => {
  const content = "It is raining in Seattle 🌧️, and it will go on raining.";
  const response = { content, ...TWO_CALLS, reasoning: "Clouds are dark." };
  const { openai } = await startModels([{ match: {}, response, chunkSize: 7 }]);
  const stream = openai.responses.stream(ASK);
  const deltas: string[] = [];
  stream.on("response.output_text.delta", ({ delta }) => deltas.push(delta));
  const final = await stream.finalResponse();
  expect(deltas.join("")).toBe(content);
  expect(deltas.length).toBeGreaterThan(7);
  expect(final.status).toBe("completed");
  expect(final.output).toMatchObject([
    { type: "reasoning", summary: [{ type: "summary_text", text: "Clouds are dark." }] },
    { type: "message", content: [{ type: "output_text", text: content }] },
    { type: "function_call", call_id: "call_seattle", arguments: '{"city":"Seattle"}' },
    { type: "function_call", call_id: "call_paris", arguments: '{"city":"Paris"}' },
  ]);
});

test("the events of a stream, numbered", async () => {
  const { openai } = await startModels([{ match: {}, response: { content: "Hello, world!" }, chunkSize: 10 }]);
  const events = await collect(await openai.responses.create({ ...ASK, stream: true }));
  expect(events.map(({ type }) => type)).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
});

test("the events of a tool call and of reasoning", async () => {
  const response = { reasoning: "Look first.", toolCalls: [{ id: "call_1", name: "look", arguments: { at: "sky" } }] };
  const { openai } = await startModels([{ match: {}, response }]);
  const events = await collect(await openai.responses.create({ ...ASK, stream: true }));
  expect(events.slice(2, -1).map(({ type }) => type)).toEqual([
    "response.output_item.added",
    "response.reasoning_summary_part.added",
    "response.reasoning_summary_text.delta",
    "response.reasoning_summary_text.done",
    "response.reasoning_summary_part.done",
    "response.output_item.done",
    "response.output_item.added",
    "response.function_call_arguments.delta",
    "response.function_call_arguments.done",
    "response.output_item.done",
  ]);
});

test("an answer that stopped at the limit of tokens", async () => {
  const { openai } = await startModels([{ match: {}, response: { content: "Cut", finishReason: "length" } }]);
  const whole = await openai.responses.create(ASK);
  expect(whole).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
  const events = await collect(await openai.responses.create({ ...ASK, stream: true }));
  expect(events.at(-1)?.type).toBe("response.incomplete");
});

test("a conversation that is told by previous_response_id", async () => {
  const { openai } = await startModels([
    { match: { userMessage: "Seattle", turnIndex: 0 }, response: TWO_CALLS },
    { match: { userMessage: "Seattle", turnIndex: 1 }, response: { content: "Rain and sun." } },
  ]);
  const first = await openai.responses.create(ASK);
  const second = await openai.responses.create({
    model: "gpt-4o",
    previous_response_id: first.id,
    input: [{ type: "function_call_output", call_id: "call_seattle", output: "rain" }],
  });
  expect(second.output_text).toBe("Rain and sun.");
});

test("a conversation that is told by item references", async () => {
  const { openai } = await startModels([
    { match: { userMessage: "Seattle", turnIndex: 0 }, response: { ...TWO_CALLS, reasoning: "Ask both." } },
    { match: { userMessage: "Seattle", turnIndex: 1 }, response: { content: "Rain and sun." } },
  ]);
  const first = await openai.responses.create(ASK);
  const second = await openai.responses.create({
    model: "gpt-4o",
    input: [
      { role: "user", content: [{ type: "input_text", text: "weather in Seattle" }] },
      ...first.output.map((item) => ({ type: "item_reference" as const, id: item.id ?? "" })),
      { type: "function_call_output", call_id: "call_seattle", output: [{ type: "input_text", text: "rain" }] },
    ],
  });
  expect(second.output_text).toBe("Rain and sun.");
});

test("what was never said is not found", async () => {
  const { openai } = await startModels([{ match: {}, response: { content: "hi" } }]);
  const unknownResponse = openai.responses.create({ ...ASK, previous_response_id: "resp_9" });
  await expect(unknownResponse).rejects.toThrow("400 Previous response with id 'resp_9' not found.");
  const unknownItem = openai.responses.create({ ...ASK, input: [{ type: "item_reference", id: "msg_9" }] });
  await expect(unknownItem).rejects.toThrow("400 Item with id 'msg_9' not found.");
});

test("an answer that was not to be stored is not remembered", async () => {
  const { openai } = await startModels([{ match: {}, response: { content: "hi" } }]);
  const { id } = await openai.responses.create({ ...ASK, store: false });
  const later = openai.responses.create({ ...ASK, previous_response_id: id });
  await expect(later).rejects.toThrow(`400 Previous response with id '${id}' not found.`);
});

test("one test does not remember what another was told", async () => {
  const { as } = await startModels([{ match: {}, response: { content: "hi" } }]);
  const { id } = await as("one").openai.responses.create(ASK);
  await expect(as("two").openai.responses.create({ ...ASK, previous_response_id: id })).rejects.toThrow("not found");
  await expect(as("one").openai.responses.create({ ...ASK, previous_response_id: id })).resolves.toBeDefined();
});

test("an error with its status, code and retry-after", async () => {
  const error = { message: "Slow down", code: "rate_limit_exceeded" };
  const { openai } = await startModels([{ match: {}, response: { error, status: 429 } }]);
  const refusal = await openai.responses.create({ ...ASK, stream: true }).catch((thrown) => thrown);
  expect(refusal).toMatchObject({ status: 429, code: "rate_limit_exceeded", type: "rate_limit_error" });
  expect(refusal.headers.get("retry-after")).toBe("1");
});
