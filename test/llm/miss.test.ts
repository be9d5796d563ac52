import { expect, test } from "vitest";
import { MCPMock } from "../../src/index.ts";
import type { StrayCall } from "../../src/journal/tests.ts";
import { post } from "../_support/http.ts";
import { startModels } from "../_support/models.ts";
import { startServer } from "../_support/server.ts";

const REFUND = { match: { userMessage: "refund", hasToolResult: false }, response: { content: "Done." } };
const CHAT = { model: "m", messages: [{ role: "user" as const, content: "hello" }] };

const MISS =
  'No fixture matched (testId "T"). Closest: code#1:fixtures[0]; match.userMessage: expected text containing "refund", received "hello".';

test("OpenAI's shape of a miss: the closest fixture, and what differed", async () => {
  const { as } = await startModels([REFUND]);
  const { openai } = as("T");
  const error = { message: MISS, type: "invalid_request_error", param: null, code: "no_fixture_match" };
  const chat = await openai.chat.completions.create(CHAT).catch((thrown) => thrown);
  expect([chat.status, chat.error]).toEqual([404, error]);
  const responses = await openai.responses.create({ model: "m", input: "hello" }).catch((thrown) => thrown);
  expect([responses.status, responses.error]).toEqual([404, error]);
});

test("Anthropic's shape of a miss", async () => {
  const { as } = await startModels([REFUND]);
  const refusal = await as("T")
    .anthropic.messages.create({ ...CHAT, max_tokens: 9 })
    .catch((thrown) => thrown);
  expect(refusal.status).toBe(404);
  expect(refusal.error).toMatchObject({ type: "error", error: { type: "not_found_error", message: MISS } });
});

test("Gemini's shape of a miss", async () => {
  const { as } = await startModels([REFUND]);
  const refusal = await as("T")
    .gemini.models.generateContent({ model: "m", contents: "hello" })
    .catch((thrown) => thrown);
  expect(JSON.parse(refusal.message)).toEqual({ error: { code: 404, message: MISS, status: "NOT_FOUND" } });
});

test("a miss where nothing is loaded", async () => {
  const { openai } = await startModels([]);
  await expect(openai.chat.completions.create(CHAT)).rejects.toThrow(
    "404 No fixture matched (no testId or context). No fixture is loaded that this request could see.",
  );
});

test("a strict server says 503, and the clients do not try again", async () => {
  const { llm, openai, anthropic } = await startModels([REFUND], { strict: true });
  const eager = openai.withOptions({ maxRetries: 2 });
  await expect(eager.chat.completions.create(CHAT)).rejects.toThrow(
    "503 Strict mode: no fixture matched (no testId or context). Closest: code#1:fixtures[0];",
  );
  const asked = anthropic.withOptions({ maxRetries: 2 }).messages.create({ ...CHAT, max_tokens: 9 });
  await expect(asked).rejects.toThrow("503");
  expect(llm.getRequests()).toHaveLength(2);
});

test("a strict server tells of fixtures whose turn it is not", async () => {
  const once = { match: { sequenceIndex: 0 }, response: { content: "once" } };
  const { openai } = await startModels([once], { strict: true });
  await openai.chat.completions.create(CHAT);
  await expect(openai.chat.completions.create(CHAT)).rejects.toThrow(
    "503 Strict mode: 1 candidate fixture(s) skipped by sequence/turn state (no testId or context). Closest: code#1:fixtures[0]; match.sequenceIndex: expected to be asked for the 1st time, received for the 2nd time.",
  );
});

test.each([
  [false, "true", 503],
  [false, "1", 503],
  [true, "false", 404],
  [true, "0", 404],
])("a server with strict %s and a request that says %s: %i", async (strict, header, status) => {
  const { openai } = await startModels([REFUND], { strict });
  const asked = openai.chat.completions.create(CHAT, { headers: { "X-AIMock-Strict": header } });
  await expect(asked).rejects.toMatchObject({ status });
});

test("a request that is none of its API is refused in its words", async () => {
  const { url } = await startModels([REFUND]);
  const error = { type: "invalid_request_error", param: null, code: null };
  expect(await post(`${url}/v1/chat/completions`, { model: "m" })).toEqual({
    error: { ...error, message: "'messages' must be an array" },
  });
  expect(await post(`${url}/v1/responses`, { model: "m" })).toEqual({
    error: { ...error, message: "'input' must be a string or an array" },
  });
  expect(await post(`${url}/v1/messages`, { model: "m" })).toMatchObject({
    error: { type: "invalid_request_error", message: "messages: must be an array" },
  });
  expect(await post(`${url}/v1beta/models/m:generateContent`, {})).toEqual({
    error: { code: 400, message: "contents must be an array", status: "INVALID_ARGUMENT" },
  });
});

test("a test id sent twice is refused as on MCP requests", async () => {
  const { url } = await startModels([REFUND]);
  expect(await post(`${url}/v1/chat/completions?testId=a&testId=b`, CHAT)).toEqual({
    error: "Duplicate ?testId= query parameter: 2 values sent, expected one",
    code: "MCP_DUPLICATE_IDENTITY",
  });
});

test("a model that is asked after its test has ended says so", async () => {
  const { url, as } = await startModels([REFUND]);
  const announced = { testId: "T", file: "a.test.ts", names: ["T"], attempt: 1 };
  await post(`${url}/__aimock/tests`, announced);
  await post(`${url}/__aimock/tests/end`, { testId: "T" });
  await expect(as("T").openai.chat.completions.create(CHAT)).rejects.toThrow(
    '410 This test has ended: its agent is still asking the model (testId "T"). Await the agent in the test, or stop it.',
  );
});

test("a mount takes over any path of a model", async () => {
  const { url } = await startServer({}, (llm) => llm.mount("/v1/messages", new MCPMock()));
  expect(await post(`${url}/v1/messages`, { model: "m" })).toMatchObject({ jsonrpc: "2.0" });
});

test("what is no request of its API fails the report of its test, and comes late as any other", async () => {
  const { llm, url } = await startModels([]);
  const headers = { "content-type": "application/json", "x-test-id": "T" };
  const ask = (path: string, body: string) => fetch(`${url}${path}`, { method: "POST", headers, body });
  await post(`${url}/__aimock/tests`, { testId: "T", file: "t.test.ts", names: ["T"], attempt: 1 });
  await ask("/v1/chat/completions", JSON.stringify({ model: "m" }));
  await ask("/v1/embeddings", "{");
  const { ok, modelFailures } = llm.fakesReport("T");
  expect([ok, modelFailures]).toEqual([
    false,
    [
      { outcome: "invalid", model: "unknown model", message: "'messages' must be an array" },
      { outcome: "invalid", model: "unknown model", message: expect.stringMatching(/^The body is not JSON: /) },
    ],
  ]);

  await post(`${url}/__aimock/tests/end`, { testId: "T" });
  expect((await ask("/v1/chat/completions", "{}")).status).toBe(410);
  const { late } = (await (await fetch(`${url}/__aimock/tests`)).json()) as { late: StrayCall[] };
  expect(late).toMatchObject([{ url: "/v1/chat/completions", model: "unknown model", testId: "T" }]);
});
