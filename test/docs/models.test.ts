import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { LLMock } from "../../src/index.ts";
import { tempFile } from "../_support/temp.ts";

const PAGE = readFileSync("docs/models.md", "utf8");

/** Asks a server that has this file what a model says to this. */
async function ask(
  file: string,
  content: string,
): Promise<{ status: number; retryAfter: string | null; said: unknown }> {
  const llm = new LLMock({ port: 0, logLevel: "silent" }).loadFixtureFile(tempFile("turns.json", file));
  onTestFinished(() => llm.stop());
  const body = JSON.stringify({ model: "gpt-5", messages: [{ role: "user", content }] });
  const response = await fetch(`${await llm.start()}/v1/chat/completions`, { method: "POST", body });
  return { status: response.status, retryAfter: response.headers.get("retry-after"), said: await response.json() };
}

test("docs/models.md: its turns answer", async () => {
  const [, file = ""] = /^```json\n(.*?)^```$/ms.exec(PAGE) ?? [];
  const { said } = await ask(file, "How is the weather in Seattle?");
  const call = { function: { name: "get_weather", arguments: '{"city":"Seattle"}' } };
  expect(said).toMatchObject({ choices: [{ message: { tool_calls: [call] } }] });
});

test("docs/models.md: an error has the keys that it names, and the defaults", async () => {
  const [, named = ""] = /a refusal, .*?`\{ ([^}]*) \}`/.exec(PAGE) ?? [];
  const keys = [...named.matchAll(/"(\w+)"/g)].flatMap(([, key]) => key ?? []);
  const error = Object.fromEntries(keys.map((key) => [key, `its ${key}`]));
  const turns = (response: object) => JSON.stringify({ fixtures: [{ match: {}, response }] });
  expect(await ask(turns({ error }), "hi")).toEqual({ status: 500, retryAfter: null, said: { error } });
  expect(await ask(turns({ error, status: 429 }), "hi")).toMatchObject({ status: 429, retryAfter: "1" });
});
