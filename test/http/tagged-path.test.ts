import OpenAI from "openai";
import { expect, test } from "vitest";
import { taggedBase } from "../../src/tagged-base.ts";
import { post } from "../_support/http.ts";
import { connect } from "../_support/mcp.ts";
import { startModels } from "../_support/models.ts";
import { startServer } from "../_support/server.ts";

const ID = "src/a.test.ts › 100% + more? › works";

test("a base URL that carries a test id tags every request of a model's client", async () => {
  const fixture = { match: {}, response: { content: "mine" }, scope: { testId: ID } };
  const { llm, url } = await startModels([fixture]);
  const openai = new OpenAI({ apiKey: "test", baseURL: `${taggedBase(url, ID)}/v1` });
  const chat = { model: "m", messages: [{ role: "user" as const, content: "hi" }] };
  const { choices } = await openai.chat.completions.create(chat);
  expect(choices[0]?.message.content).toBe("mine");
  expect(llm.getRequests()[0]).toMatchObject({
    testId: ID,
    path: "/__test/src%2Fa.test.ts%20%E2%80%BA%20100%25%20%2B%20more%3F%20%E2%80%BA%20works/v1/chat/completions",
  });
});

test("an MCP client is tagged by its base URL as well", async () => {
  const call = { anyArgs: true as const, result: "pong" };
  const { url } = await startServer({}, (llm) => llm.ensureMcpMount("/mcp"));
  await post(`${url}/__aimock/fixtures`, {
    mcpFakes: { scope: { testId: ID }, tools: [{ name: "ping", calls: [call] }] },
  });
  const client = await connect(`${taggedBase(url, ID)}/mcp`);
  expect((await client.call("ping")).result).toMatchObject({ content: [{ text: "pong" }] });
});

test("a header still comes first, and a second id in the query is one too many", async () => {
  const { llm, url } = await startModels([{ match: {}, response: { content: "hi" } }]);
  const chat = { model: "m", messages: [{ role: "user", content: "hi" }] };
  const path = `${taggedBase(url, "path")}/v1/chat/completions`;
  await post(path, chat, { "X-Test-Id": "header" });
  expect(llm.getRequests()[0]?.testId).toBe("header");
  expect(await post(`${path}?testId=query`, chat)).toMatchObject({ code: "MCP_DUPLICATE_IDENTITY" });
});
