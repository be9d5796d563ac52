import { expect, test } from "vitest";
import { collect, startModels } from "../_support/models.ts";

const FIXTURES = [
  { match: { model: "my-model" }, response: { content: "hi" } },
  { match: { model: /regex/ }, response: { content: "hi" } },
];

const IDS = ["my-model", "gpt-4", "gpt-4o", "claude-3-5-sonnet-20241022", "gemini-2.0-flash", "text-embedding-3-small"];

test("OpenAI's list holds the models of the fixtures and the well-known ones", async () => {
  const { openai } = await startModels(FIXTURES);
  const models = await collect(openai.models.list());
  expect(models.map(({ id }) => id)).toEqual(IDS);
  expect(await openai.models.retrieve("my-model")).toMatchObject({ id: "my-model", object: "model" });
});

test("Anthropic's list", async () => {
  const { anthropic } = await startModels(FIXTURES);
  const models = await collect(anthropic.models.list());
  expect(models.map(({ id, type }) => [id, type])).toEqual(IDS.map((id) => [id, "model"]));
  expect(await anthropic.models.retrieve("my-model")).toMatchObject({ id: "my-model", display_name: "my-model" });
});

test("Gemini's list", async () => {
  const { gemini } = await startModels(FIXTURES);
  const models = await collect(await gemini.models.list());
  expect(models.map(({ name }) => name)).toEqual(IDS.map((id) => `models/${id}`));
  expect(await gemini.models.get({ model: "my-model" })).toMatchObject({ name: "models/my-model" });
});
