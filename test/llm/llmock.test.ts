import { expect, test } from "vitest";
import { LLMock } from "../../src/index.ts";
import { startModels } from "../_support/models.ts";
import { startServer } from "../_support/server.ts";
import { tempTree } from "../_support/temp.ts";
import { problemsOf, thrownBy } from "../_support/thrown.ts";

const CHAT = { model: "m", messages: [{ role: "user" as const, content: "hi there" }] };

test("a script in code: onMessage and onToolResult", async () => {
  const { llm, openai } = await startModels([]);
  llm.onToolResult("call_1", { content: "Waved." });
  llm.onMessage(/^hi/, { toolCalls: [{ id: "call_1", name: "wave", arguments: {} }] });
  const asked = await openai.chat.completions.create(CHAT);
  const said = asked.choices[0]?.message;
  if (said === undefined) throw new Error("no answer");
  const result = { role: "tool" as const, tool_call_id: "call_1", content: "ok" };
  const answered = await openai.chat.completions.create({ ...CHAT, messages: [...CHAT.messages, said, result] });
  expect(answered.choices[0]?.message.content).toBe("Waved.");
});

test("options of a turn in code", async () => {
  const { llm, as } = await startModels([]);
  llm.onMessage("hi", { content: "mine" }, { scope: { testId: "T" } }).onMessage("hi", { content: "everyone's" });
  const say = async (testId: string) =>
    (await as(testId).openai.chat.completions.create(CHAT)).choices[0]?.message.content;
  expect([await say("T"), await say("other")]).toEqual(["mine", "everyone's"]);
});

test("a bad turn in code is refused with all its problems", () => {
  const llm = new LLMock();
  const bad = { match: { userMessage: 5 }, response: { content: "x" }, delay: 1 };
  expect(problemsOf(() => llm.addFixtures([{ match: {}, response: { content: "x" } }, bad as never]))).toEqual([
    '"code#1": [llm-fixtures/bad-value] fixtures[1].match.userMessage must be a string (in code, a RegExp too), got 5',
    '"code#1": [llm-fixtures/unknown-key] fixtures[1] has unknown key "delay"',
  ]);
});

test("counts are reset, turns are cleared", async () => {
  const { llm, openai } = await startModels([{ match: { sequenceIndex: 0 }, response: { content: "once" } }]);
  const say = () => openai.chat.completions.create(CHAT).then(({ choices }) => choices[0]?.message.content);
  await say();
  await expect(say()).rejects.toThrow("No fixture matched");
  llm.resetMatchCounts();
  expect(await say()).toBe("once");
  llm.clearFixtures();
  await expect(say()).rejects.toThrow("No fixture is loaded");
});

test("files are loaded with their turns and fakes, all or none", async () => {
  const turn = { match: { userMessage: "hi" }, response: { content: "from a file" } };
  const cwd = tempTree({
    "good/a.json": {
      $schema: "x",
      _comment: "y",
      fixturesScope: { testId: "T" },
      fixtures: [{ ...turn, _comment: "z" }],
    },
    "bad.json": { fixtures: [{ match: {}, response: {} }] },
  });
  const { llm, url } = await startServer();
  expect(thrownBy(() => llm.loadFixtures(".", { cwd }))).toMatchObject({
    name: "FixtureLoadError",
    rule: "llm-fixtures/bad-value",
    file: "bad.json",
    message:
      '"bad.json": [llm-fixtures/bad-value] fixtures[0].response needs content, toolCalls, blocks, error or embedding',
  });
  llm.loadFixtures("good", { cwd }).loadFixtures("good", { cwd });
  const listed = await (await fetch(`${url}/__aimock/fixtures?include=fixtures`)).json();
  expect(listed).toMatchObject({
    count: 2,
    fixtures: [
      { id: "a.json:fixtures[0]", scope: { testId: "T" } },
      { id: "a.json@2:fixtures[0]", scope: { testId: "T" } },
    ],
  });
});

test("the journal shows the request as a chat, the fixture and the answer", async () => {
  const { llm, anthropic } = await startModels([{ match: { userMessage: /hi/ }, response: { content: "Hello!" } }]);
  await anthropic.messages.create({ ...CHAT, max_tokens: 9, system: "Be kind." }, { headers: { "X-Test-Id": "T" } });
  expect(llm.getRequests()).toMatchObject([
    {
      method: "POST",
      path: "/v1/messages",
      service: "llm",
      testId: "T",
      headers: { authorization: "[REDACTED]" },
      body: {
        model: "m",
        messages: [
          { role: "system", content: "Be kind." },
          { role: "user", content: "hi there" },
        ],
      },
      response: {
        status: 200,
        source: "fixture",
        fixture: { id: "code#1:fixtures[0]", match: { userMessage: "/hi/" }, response: { content: "Hello!" } },
      },
      answer: { type: "message", content: [{ type: "text", text: "Hello!" }] },
      model: { provider: "anthropic", outcome: "answered", said: { kind: "message", text: "Hello!" } },
    },
  ]);
});

test("a miss is logged as an error", async () => {
  const { llm, openai } = await startModels([]);
  const lines: string[] = [];
  llm.setLogger({ error: (line) => lines.push(line), warn() {}, info() {}, debug() {} });
  await openai.chat.completions.create(CHAT).catch(() => {});
  expect(lines).toEqual([
    "LLM-FIXTURE: no_match on /v1/chat/completions: No fixture matched (no testId or context). No fixture is loaded that this request could see.",
  ]);
});
