import { expect, test } from "vitest";
import { send } from "../_support/http.ts";
import { collect, startModels, TWO_CALLS } from "../_support/models.ts";

const ASK = { model: "gemini-2.5-flash", contents: "weather in Seattle" };

test("a text answer", async () => {
  const { gemini } = await startModels([{ match: {}, response: { content: "It is raining." } }]);
  const response = await gemini.models.generateContent(ASK);
  expect(response.text).toBe("It is raining.");
  expect(response).toMatchObject({
    candidates: [{ content: { role: "model", parts: [{ text: "It is raining." }] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 4, totalTokenCount: 9 },
    modelVersion: "gemini-2.5-flash",
    responseId: expect.stringMatching(/^gemini-/),
  });
});

test("two function calls at once, and the answer to their results", async () => {
  const { gemini } = await startModels([
    { match: { systemMessage: "Be brief", toolName: "get_weather", hasToolResult: false }, response: TWO_CALLS },
    { match: { toolCallId: "call_paris", toolResultContains: "sun" }, response: { content: "Rain and sun." } },
  ]);
  const config = { systemInstruction: "Be brief.", tools: [{ functionDeclarations: [{ name: "get_weather" }] }] };
  const { functionCalls = [], candidates } = await gemini.models.generateContent({ ...ASK, config });
  expect(functionCalls).toEqual([
    { id: "call_seattle", name: "get_weather", args: { city: "Seattle" } },
    { id: "call_paris", name: "get_weather", args: { city: "Paris" } },
  ]);
  expect(candidates?.[0]?.finishReason).toBe("STOP");
  const result = (id: string, output: string) => ({
    functionResponse: { id, name: "get_weather", response: { output } },
  });
  const answered = await gemini.models.generateContent({
    model: ASK.model,
    contents: [
      { role: "user", parts: [{ text: "weather in Seattle" }] },
      { role: "model", parts: functionCalls.map((functionCall) => ({ functionCall })) },
      { role: "user", parts: [result("call_seattle", "rain"), result("call_paris", "sun")] },
    ],
  });
  expect(answered.text).toBe("Rain and sun.");
});

test("thoughts, which are no part of the text", async () => {
  const { gemini } = await startModels([{ match: {}, response: { content: "Rain.", reasoning: "Clouds are dark." } }]);
  const response = await gemini.models.generateContent(ASK);
  expect(response.text).toBe("Rain.");
  expect(response.candidates?.[0]?.content?.parts).toEqual([
    { text: "Clouds are dark.", thought: true },
    { text: "Rain." },
  ]);
  expect(response.usageMetadata).toMatchObject({ candidatesTokenCount: 2, thoughtsTokenCount: 4 });
});

test("a stream that the client puts together again", async () => {
  const content = "It is raining in Seattle 🌧️, and it will go on raining.";
  const { gemini } = await startModels([{ match: {}, response: { content, ...TWO_CALLS }, chunkSize: 7 }]);
  const chunks = await collect(await gemini.models.generateContentStream(ASK));
  const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
  expect(parts.map((part) => part.text ?? "").join("")).toBe(content);
  expect(chunks.length).toBeGreaterThan(9);
  expect(parts.flatMap((part) => part.functionCall?.id ?? [])).toEqual(["call_seattle", "call_paris"]);
  expect(chunks.map((chunk) => chunk.candidates?.[0]?.finishReason)).toEqual([
    ...chunks.slice(1).map(() => undefined),
    "STOP",
  ]);
});

test("a chat of the client carries its own history", async () => {
  const { gemini } = await startModels([
    { match: { userMessage: "hello", turnIndex: 0 }, response: { content: "Hi!" } },
    { match: { userMessage: "hello", turnIndex: 1 }, response: { content: "Again?" } },
  ]);
  const chat = gemini.chats.create({ model: ASK.model });
  expect((await chat.sendMessage({ message: "hello" })).text).toBe("Hi!");
  expect((await chat.sendMessage({ message: "hello" })).text).toBe("Again?");
});

test("everything that a fixture can set on the envelope", async () => {
  const response = {
    content: "Cut",
    id: "answer-7",
    model: "gemini-2.5-flash-001",
    finishReason: "length",
    usage: { promptTokenCount: 10, candidatesTokenCount: 5, thoughtsTokenCount: 2, cachedContentTokenCount: 3 },
  };
  const { gemini } = await startModels([{ match: { model: "gemini-2.5-flash" }, response }]);
  expect(await gemini.models.generateContent(ASK)).toMatchObject({
    responseId: "answer-7",
    modelVersion: "gemini-2.5-flash-001",
    candidates: [{ finishReason: "MAX_TOKENS" }],
    usageMetadata: {
      promptTokenCount: 10,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 2,
      cachedContentTokenCount: 3,
      totalTokenCount: 17,
    },
  });
});

test("an error in the provider's own shape", async () => {
  const { gemini } = await startModels([
    { match: {}, response: { error: { message: "Slow down" }, status: 429, retryAfter: 7 } },
  ]);
  const refusal = await gemini.models.generateContent(ASK).catch((thrown) => thrown);
  expect(refusal).toMatchObject({ name: "ApiError", status: 429 });
  expect(JSON.parse(refusal.message)).toEqual({
    error: {
      code: 429,
      message: "Slow down",
      status: "RESOURCE_EXHAUSTED",
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7s" }],
    },
  });
});

test("a stream without alt=sse is a JSON array", async () => {
  const { url } = await startModels([{ match: {}, response: { content: "Hello, world!" }, chunkSize: 10 }]);
  const reply = await send(`${url}/v1beta/models/gemini-2.5-flash:streamGenerateContent`, {
    method: "POST",
    body: JSON.stringify({ contents: [{ role: "user", parts: [{ text: "hi" }] }] }),
  });
  expect(reply.headers["content-type"]).toBe("application/json");
  expect(reply.json()).toMatchObject([
    { candidates: [{ content: { parts: [{ text: "Hello, wor" }] } }] },
    { candidates: [{ content: { parts: [{ text: "ld!" }] }, finishReason: "STOP" }] },
  ]);
});
