import { LLMock, MCPMock } from "mcp-fakes";
import OpenAI from "openai";
import { ask, openTicket, REFUND } from "./agent.ts";
import { failure } from "./failure.ts";
import { expect, mcp, test } from "./runner.ts";

test("refund", async () => {
  expect(mcp).not.toHaveAskedModel();
  expect(mcp).toHaveAskedModel(0);
  expect(failure(() => expect(mcp).toHaveConsumedAllFakes())).toBe(`expect(mcp).toHaveConsumedAllFakes()

Test: matchers.test.ts › refund

2 scripted turns that no model was asked for:
  id                       match
  refund.json:fixtures[0]  {"userMessage":"refund","hasToolResult":false}
  refund.json:fixtures[1]  {"userMessage":"refund","toolResultContains":"TICKET-42"}`);

  expect(await openTicket("TICKET-42")).toBe("Your ticket is TICKET-42.");
  expect(mcp).toHaveAskedModel();
  expect(mcp).toHaveAskedModel(2);
  expect(mcp).toHaveSentToModel("a refund");
  expect(mcp).toHaveSentToModel(/^TICKET-\d+$/g);
  expect(mcp).not.toHaveSentToModel("TICKET-43");
  expect(mcp).toHaveConsumedAllFakes();
  expect(failure(() => expect(mcp).toHaveAskedModel(3))).toBe(`expect(mcp).toHaveAskedModel(3)

Test: matchers.test.ts › refund

A model was asked 2 times.

Requests to models:
  1. user "I want a refund" -> create_ticket {"title":"Refund"}
  2. tool "TICKET-42" -> "Your ticket is TICKET-42."`);
  expect(failure(() => expect(mcp).toHaveSentToModel("TICKET-43"))).toBe(`expect(mcp).toHaveSentToModel("TICKET-43")

Test: matchers.test.ts › refund

It was never sent.

Requests to models:
  1. user "I want a refund" -> create_ticket {"title":"Refund"}
  2. tool "TICKET-42" -> "Your ticket is TICKET-42."`);
  expect(failure(() => expect(mcp).not.toHaveSentToModel("TICKET-42"))).toContain("It was sent.");
});

test("the turns of a test", async () => {
  expect(mcp.turns).toEqual([]);
  await ask([
    { role: "system", content: "Be kind." },
    { role: "user", content: "hello" },
  ]);
  expect(mcp.turns).toEqual([
    {
      provider: "openai-chat",
      request: {
        model: "gpt-4o",
        messages: [
          { role: "system", content: "Be kind." },
          { role: "user", content: "hello" },
        ],
        stream: false,
      },
      outcome: "answered",
      fixtureId: "shared.json:fixtures[0]",
      said: { kind: "message", text: "Hello!", reasoning: null, toolCalls: [], finishReason: "stop" },
      closest: null,
      startedAt: expect.any(Number),
      durationMs: expect.any(Number),
    },
  ]);
});

test("base URLs of every provider, and of another process", () => {
  expect(mcp.llm).toEqual({
    url: mcp.url.slice(0, -"/mcp".length),
    openai: process.env.OPENAI_BASE_URL,
    anthropic: process.env.ANTHROPIC_BASE_URL,
    gemini: process.env.ANTHROPIC_BASE_URL,
  });
  const tag =
    "/__test/matchers.test.ts%20%E2%80%BA%20base%20URLs%20of%20every%20provider%2C%20and%20of%20another%20process";
  expect(mcp.env).toMatchObject({
    OPENAI_BASE_URL: `${mcp.llm.url}${tag}/v1`,
    ANTHROPIC_BASE_URL: `${mcp.llm.url}${tag}`,
  });
});

test("a client in another process is tagged by its base URL", async () => {
  mcp.verify("off");
  const openai = new OpenAI({ apiKey: "test", baseURL: mcp.env.OPENAI_BASE_URL });
  await openai.chat.completions.create({ model: "m", messages: [{ role: "user", content: "hello" }] });
  expect(mcp).toHaveAskedModel(1);
});

test("a mock of the test's own", async () => {
  const llm = new LLMock();
  llm.onMessage("refund", { content: "No." });
  const openai = new OpenAI({ apiKey: "test", baseURL: `${await llm.start()}/v1` });
  const messages = [REFUND];
  await openai.chat.completions.create({ model: "m", messages }, { headers: { "X-Test-Id": "T" } });
  await openai.embeddings.create({ model: "m", input: "embeddings do not count" });
  expect(llm).toHaveAskedModel(1);
  expect(llm).toHaveAskedModel(1, { testId: "T" });
  expect(llm).toHaveAskedModel(0, { testId: "other" });
  expect(llm).toHaveSentToModel("refund", { testId: "T" });
  await llm.stop();
});

test("wrong subjects and arguments", () => {
  expect(failure(() => expect(new MCPMock()).toHaveAskedModel())).toBe(
    "expect(mock).toHaveAskedModel(): an MCPMock serves no models. Give mcp or an LLMock.",
  );
  expect(failure(() => expect(mcp.report()).toHaveSentToModel("x"))).toBe(
    "expect(report).toHaveSentToModel(): a report holds no messages and no order of calls. Give mcp, an MCPMock or an LLMock.",
  );
  const untyped = (value: unknown) => value as never;
  for (const [count, shown] of [
    [1.5, "1.5"],
    ["2", '"2"'],
    ["", '""'],
    [{ least: 2 }, "{ least: 2 }"],
  ]) {
    expect(failure(() => expect(mcp).toHaveAskedModel(untyped(count)))).toBe(
      `toHaveAskedModel() takes the number of requests as its first argument, 0 or more, got ${shown}.`,
    );
  }
  for (const [text, shown] of [
    ["", '""'],
    [2, "2"],
    [{ text: "a" }, "{ text: 'a' }"],
  ]) {
    expect(failure(() => expect(mcp).toHaveSentToModel(untyped(text)))).toBe(
      `toHaveSentToModel() takes a non-empty string or a RegExp as its first argument, got ${shown}.`,
    );
  }
});
