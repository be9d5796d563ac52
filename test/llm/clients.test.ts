import { expect, test } from "vitest";
import { collect, type Models, startModels } from "../_support/models.ts";

const CONTENT = "x".repeat(200);
const MESSAGES = [{ role: "user" as const, content: "hi" }];

/** A stream of each client that a signal can end; the items are not looked into. */
const STREAMS: Readonly<Record<string, (models: Models, signal: AbortSignal) => Promise<AsyncIterable<unknown>>>> = {
  "openai, chat": ({ openai }, signal) =>
    openai.chat.completions.create({ model: "m", messages: MESSAGES, stream: true }, { signal }),
  "openai, responses": ({ openai }, signal) =>
    openai.responses.create({ model: "m", input: "hi", stream: true }, { signal }),
  anthropic: ({ anthropic }, signal) =>
    anthropic.messages.create({ model: "m", max_tokens: 9, messages: MESSAGES, stream: true }, { signal }),
  gemini: ({ gemini }, abortSignal) =>
    gemini.models.generateContentStream({ model: "m", contents: "hi", config: { abortSignal } }),
};

test.each(Object.entries(STREAMS))("%s: a client that leaves mid-stream, and the next one", async (_name, open) => {
  const models = await startModels([
    { match: { sequenceIndex: 0 }, response: { content: CONTENT }, streamingProfile: { ttft: 0, tps: 20 } },
    { match: {}, response: { content: CONTENT } },
  ]);
  const leaving = new AbortController();
  const seen: unknown[] = [];
  const read = async () => {
    for await (const item of await open(models, leaving.signal)) {
      seen.push(item);
      leaving.abort();
    }
  };
  await read().catch(({ name }) => expect(name).toBe("AbortError"));
  const whole = await collect(await open(models, new AbortController().signal));
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.length).toBeLessThan(whole.length);
});

test("a client that tries again after a 429 is answered by the next turn of the sequence", async () => {
  const { openai, anthropic, llm } = await startModels([
    { match: { sequenceIndex: 0 }, response: { error: { message: "Slow down" }, status: 429, retryAfter: 0.01 } },
    { match: { sequenceIndex: 1 }, response: { content: "Now." } },
  ]);
  const patient = openai.withOptions({ maxRetries: 1 });
  const { choices } = await patient.chat.completions.create({ model: "m", messages: MESSAGES });
  expect(choices[0]?.message.content).toBe("Now.");
  llm.resetMatchCounts();
  const asked = anthropic.withOptions({ maxRetries: 1 });
  const { content } = await asked.messages.create({ model: "m", max_tokens: 9, messages: MESSAGES });
  expect(content).toMatchObject([{ type: "text", text: "Now." }]);
  expect(llm.getTurns().map(({ outcome }) => outcome)).toEqual([
    "scripted_error",
    "answered",
    "scripted_error",
    "answered",
  ]);
});
