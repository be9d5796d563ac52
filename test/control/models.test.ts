import { expect, test } from "vitest";
import { post, send } from "../_support/http.ts";
import { startModels } from "../_support/models.ts";

const TURN = { match: { userMessage: "hi" }, response: { content: "Hi!" } };
const CHAT = { model: "m", messages: [{ role: "user" as const, content: "hi" }] };

async function start() {
  const models = await startModels([]);
  const control = `${models.url}/__aimock`;
  const say = async (testId = "T") => {
    const answer = await models.as(testId).openai.chat.completions.create(CHAT);
    return answer.choices[0]?.message.content;
  };
  return { ...models, control, say };
}

test("turns are added, listed and unloaded", async () => {
  const { control, say } = await start();
  const slow = {
    match: { model: "m", toolName: "t" },
    response: { toolCalls: [{ name: "t", arguments: {} }] },
    latency: 5,
  };
  expect(await post(`${control}/fixtures`, { fixtures: [TURN, slow] })).toEqual({ added: 2 });
  expect(await say()).toBe("Hi!");
  expect((await send(`${control}/fixtures`)).json()).toEqual({ count: 2 });
  expect((await send(`${control}/fixtures?include=fixtures`)).json()).toEqual({
    count: 2,
    fixtures: [
      {
        index: 0,
        id: "control-api#1:fixtures[0]",
        match: { userMessage: "hi" },
        responseKind: "text",
        scope: "shared",
      },
      {
        index: 1,
        id: "control-api#1:fixtures[1]",
        match: { model: "m", toolName: "t" },
        responseKind: "toolCalls",
        scope: "shared",
        latency: 5,
      },
    ],
  });
  expect((await send(`${control}/fixtures`, { method: "DELETE" })).json()).toEqual({ cleared: true });
  await expect(say()).rejects.toThrow("404 No fixture matched");
});

test("the scope of a whole list", async () => {
  const { control, say } = await start();
  await post(`${control}/fixtures`, { fixtures: [TURN], fixturesScope: { testId: "T" } });
  expect(await say("T")).toBe("Hi!");
  await expect(say("other")).rejects.toThrow("404 No fixture matched");
});

test("one bad turn or block keeps everything out, and all problems are told", async () => {
  const { control } = await start();
  const fixtures = [TURN, { match: { usrMessage: "hi" }, response: { content: "Hi!" } }];
  expect(await post(`${control}/fixtures`, { fixtures, mcpFakes: { tools: 5 } })).toEqual({
    error: "Validation failed",
    details: [
      { severity: "error", fixtureIndex: 1, message: 'fixtures[1].match has unknown key "usrMessage"' },
      expect.objectContaining({ rule: "mcp-fakes/bad-block:a", file: "control-api#1" }),
      expect.objectContaining({ rule: "mcp-fakes/bad-block:g", file: "control-api#1" }),
    ],
  });
  expect((await send(`${control}/fixtures`)).json()).toEqual({ count: 0 });
});

test.each([
  [{}, 'Missing or invalid "fixtures" array'],
  [{ fixtures: {} }, 'Missing or invalid "fixtures" array'],
  [{ fixtures: [{ response: {} }] }, "Fixture at index 0 is missing match"],
  [{ fixtures: [TURN, { match: 5 }] }, "Fixture at index 1: match must be an object"],
])("%o is refused before it is looked into", async (body, error) => {
  const { control } = await start();
  expect(await post(`${control}/fixtures`, body)).toEqual({ error });
});

test("an error for the next request, and one for the next request of a test", async () => {
  const { control, say } = await start();
  await post(`${control}/fixtures`, { fixtures: [TURN] });
  const body = { message: "down", type: "server_error", code: "down" };
  expect(await post(`${control}/error?testId=mine`, { status: 503, body })).toEqual({ queued: true });
  expect(await say("other")).toBe("Hi!");
  await expect(say("mine")).rejects.toMatchObject({ status: 503, error: { ...body, param: null } });
  expect(await say("mine")).toBe("Hi!");
  await post(`${control}/error`, {});
  await expect(say("other")).rejects.toMatchObject({ status: 500 });
});

test.each([
  [
    { status: 100 },
    "Invalid 'status': must be an integer between 200 and 999 (1xx cannot terminate a response and would hang the client)",
  ],
  [
    { status: "500" },
    "Invalid 'status': must be an integer between 200 and 999 (1xx cannot terminate a response and would hang the client)",
  ],
  [{ body: 5 }, "Invalid 'body': must be an object"],
  [[], "Invalid body: must be an object"],
  [{ staus: 503 }, "Unknown key: 'staus'. Supported: status, body"],
  [{ body: { mesage: "down" } }, "Unknown key: 'body.mesage'. Supported: message, type, code"],
  [{ body: { message: 5 } }, "Invalid 'body.message': must be a string"],
])("an error of %o cannot be queued", async (given, error) => {
  const { control } = await start();
  expect(await post(`${control}/error`, given)).toEqual({ error });
});

test("a test's own turns go when its attempt ends, its counts when it starts again", async () => {
  const { control, say } = await start();
  const announced = { testId: "T", file: "a.test.ts", names: ["T"], attempt: 1 };
  const once = { match: { sequenceIndex: 0 }, response: { content: "once" } };
  await post(`${control}/fixtures`, { fixtures: [once] });
  await post(`${control}/tests`, announced);
  await post(`${control}/fixtures?owner=T`, { fixtures: [TURN], fixturesScope: { testId: "T" } });
  expect(await say()).toBe("Hi!");
  await post(`${control}/tests/end`, { testId: "T" });
  await post(`${control}/tests`, { ...announced, attempt: 2 });
  expect(await say()).toBe("once");
  await post(`${control}/tests`, { ...announced, attempt: 3 });
  expect(await say()).toBe("once");
});

test("the end of a test tells its turns, the misses and what was never asked", async () => {
  const { control, as } = await start();
  await post(`${control}/tests`, { testId: "T", file: "a.test.ts", names: ["T"], attempt: 1 });
  const fixtures = [TURN, { match: { userMessage: "bye" }, response: { content: "Bye!" } }];
  await post(`${control}/fixtures`, { fixtures, fixturesScope: { testId: "T" } });
  const { openai } = as("T");
  await openai.chat.completions.create(CHAT);
  await openai.chat.completions.create({ ...CHAT, messages: [{ role: "user", content: "so" }] }).catch(() => {});
  const { report, turns } = (await post(`${control}/tests/end`, { testId: "T" })) as Record<string, unknown>;
  expect(report).toMatchObject({
    ok: false,
    modelFailures: [
      {
        outcome: "no_match",
        model: "m",
        message:
          'No fixture matched (testId "T"). Closest: control-api#1:fixtures[1]; match.userMessage: expected text containing "bye", received "so".',
      },
    ],
    unasked: [{ fixtureId: "control-api#1:fixtures[1]", match: { userMessage: "bye" } }],
  });
  expect(turns).toMatchObject([
    {
      provider: "openai-chat",
      outcome: "answered",
      fixtureId: "control-api#1:fixtures[0]",
      request: { model: "m", messages: [{ role: "user", content: "hi" }] },
      said: { kind: "message", text: "Hi!", toolCalls: [], reasoning: null, finishReason: "stop" },
    },
    { outcome: "no_match", fixtureId: null, said: { kind: "error", status: 404, code: "no_fixture_match" } },
  ]);
});

test("requests to models without a test id, and those after a test's end, are listed", async () => {
  const { control, openai, say } = await start();
  await post(`${control}/fixtures`, { fixtures: [TURN] });
  await post(`${control}/tests`, { testId: "T", file: "a.test.ts", names: ["T"], attempt: 1 });
  await post(`${control}/tests/end`, { testId: "T" });
  await say().catch(() => {});
  await openai.chat.completions.create(CHAT);
  await openai.embeddings.create({ model: "m", input: "no turn of any test" });
  const stray = { url: "/v1/chat/completions", tool: null, model: "m" };
  expect((await send(`${control}/tests`)).json()).toMatchObject({
    untagged: [{ ...stray, testId: null }],
    late: [{ ...stray, testId: "T" }],
  });
});

test("a reset unloads turns, a reset of the journal does not", async () => {
  const { control, say } = await start();
  await post(`${control}/fixtures`, { fixtures: [TURN] });
  await post(`${control}/reset/journal`, {});
  expect(await say()).toBe("Hi!");
  await post(`${control}/reset`, {});
  await expect(say()).rejects.toThrow("404 No fixture matched");
});
