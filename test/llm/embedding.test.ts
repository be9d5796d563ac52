import { expect, test } from "vitest";
import { startModels } from "../_support/models.ts";

const MODEL = "text-embedding-3-small";

test("a text has the same vector in every run, and it is a unit vector", async () => {
  const { openai } = await startModels([]);
  const { data, model, usage } = await openai.embeddings.create({ model: MODEL, input: "rain", dimensions: 4 });
  const [first] = data;
  expect(first?.embedding.map((value) => value.toFixed(4))).toEqual(["-0.4611", "-0.3943", "-0.2097", "0.7668"]);
  expect(Math.hypot(...(first?.embedding ?? []))).toBeCloseTo(1);
  expect({ model, usage }).toEqual({ model: MODEL, usage: { prompt_tokens: 1, total_tokens: 1 } });
});

test("equal texts have equal vectors, others do not", async () => {
  const { openai } = await startModels([]);
  const { data } = await openai.embeddings.create({ model: MODEL, input: ["rain", "sun", "rain"] });
  const [rain, sun, again] = data.map(({ embedding }) => embedding);
  expect(rain).toHaveLength(1536);
  expect(again).toEqual(rain);
  expect(sun).not.toEqual(rain);
});

test("numbers and base64 tell the same vector", async () => {
  const { openai } = await startModels([]);
  const ask = { model: MODEL, input: "rain", dimensions: 8 };
  const [numbers, base64] = await Promise.all([
    openai.embeddings.create({ ...ask, encoding_format: "float" }),
    openai.embeddings.create(ask), // the client asks for base64 by itself
  ]);
  const rounded = (values: readonly number[] = []) => values.map((value) => Math.fround(value));
  expect(rounded(numbers.data[0]?.embedding)).toEqual(base64.data[0]?.embedding);
});

test("a scripted vector", async () => {
  const { openai } = await startModels([{ match: { inputText: "rain" }, response: { embedding: [0.5, 0.25] } }]);
  const { data } = await openai.embeddings.create({ model: MODEL, input: "rain in Seattle" });
  expect(data[0]?.embedding).toEqual([0.5, 0.25]);
});

test("a strict server makes nothing up", async () => {
  const { openai } = await startModels([], { strict: true });
  const asked = openai.embeddings.create({ model: MODEL, input: "rain" });
  await expect(asked).rejects.toThrow("503 Strict mode: no fixture matched (no testId or context).");
});

test("Gemini, one text and several", async () => {
  const { gemini } = await startModels([{ match: { inputText: "sun" }, response: { embedding: [1, 0] } }]);
  const config = { outputDimensionality: 3 };
  const one = await gemini.models.embedContent({ model: "gemini-embedding-001", contents: "rain", config });
  expect(one.embeddings?.[0]?.values).toHaveLength(3);
  const two = await gemini.models.embedContent({ model: "gemini-embedding-001", contents: ["rain", "sun"], config });
  expect(two.embeddings?.map(({ values }) => values)).toEqual([
    [1, 0],
    [1, 0],
  ]);
});
