import type { McpFakeScope } from "../../src/fixtures/types.ts";

/** A test that prints where the server is and what it answers, for any runner. */
export const WATCHED_TEST = `import { connect } from "./agent.ts";
import { expect, mcp, test } from "./runner.ts";

test("weather", async () => {
  const client = await connect(mcp.url);
  const { content } = await client.callTool({ name: "get_weather", arguments: {} });
  await client.close();
  expect(mcp).toHaveCalledToolTimes("get_weather", 1);
  console.log(\`port \${new URL(mcp.url).port} answers \${content[0].text}\`);
});
`;

/** A fixture file for that test, or for every test. */
export function fixture(result: string, scope: McpFakeScope = { testId: "weather" }): string {
  return JSON.stringify({ mcpFakes: { scope, tools: [{ name: "get_weather", calls: [{ args: {}, result }] }] } });
}

/** Where a run's server was, and what it answered. */
export function answerIn(output: string): { port: string; answer: string } {
  const [, port = "", answer = ""] = /port (\d+) answers (\w+)/.exec(output) ?? [];
  return { port, answer };
}
