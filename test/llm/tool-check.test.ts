import { expect, test } from "vitest";
import { LLMock, MCPMock } from "../../src/index.ts";
import { post } from "../_support/http.ts";
import { startServer } from "../_support/server.ts";
import { tempTree } from "../_support/temp.ts";

const calls = (...names: string[]) => ({ toolCalls: names.map((name) => ({ name, arguments: {} })) });
const fake = (name: string) => ({ name, calls: [{ anyArgs: true as const, result: "ok" }] });

/** A server that collects its warnings. */
function create(): { llm: LLMock; warnings: string[] } {
  const warnings: string[] = [];
  const llm = new LLMock();
  llm.setLogger({ error() {}, warn: (line) => warnings.push(line), info() {}, debug() {} });
  return { llm, warnings };
}

test("a scripted call that nobody will answer is warned of, once, when the server starts", async () => {
  const { llm, warnings } = create();
  const cwd = tempTree({
    "refund.json": {
      fixtures: [
        { match: { userMessage: "refund" }, response: calls("create_ticket") },
        { match: { userMessage: "ticket" }, response: calls("create_tiket", "search") },
        { match: { userMessage: "mine" }, response: calls("create_ticket"), scope: { testId: "other" } },
      ],
      mcpFakes: { scope: { testId: "T" }, tools: [fake("create_ticket")] },
    },
  });
  llm.loadFixtures("refund.json", { cwd });
  const mock = new MCPMock();
  mock.addTool({ name: "search" });
  llm.mount("/mcp/other", mock);
  expect(warnings).toEqual([]);
  await llm.start();
  await llm.stop();
  const known = '"search", "create_ticket"';
  expect(warnings).toEqual([
    `refund.json:fixtures[1] calls the tool "create_tiket", which no fake or handler of its scenario knows; known: ${known}`,
    'refund.json:fixtures[2] calls the tool "create_ticket", which no fake or handler of its scenario knows; known: "search"',
  ]);
});

test("where no MCP server knows any tool, the agent's tools are of another kind", async () => {
  const { llm, warnings } = create();
  llm.onMessage("refund", calls("create_ticket"));
  await llm.start();
  await llm.stop();
  expect(warnings).toEqual([]);
});

test("what comes through the control API is checked with the fakes that come with it", async () => {
  const warnings: string[] = [];
  const { llm, url } = await startServer();
  llm.setLogger({ error() {}, warn: (line) => warnings.push(line), info() {}, debug() {} });
  const mcpFakes = { scope: { testId: "T" }, tools: [fake("search")] };
  const fixtures = [{ match: {}, response: calls("search", "serch") }];
  await post(`${url}/__aimock/fixtures`, { fixtures, fixturesScope: { testId: "T" }, mcpFakes });
  expect(warnings).toEqual([
    'control-api#1:fixtures[0] calls the tool "serch", which no fake or handler of its scenario knows; known: "search"',
  ]);
});
