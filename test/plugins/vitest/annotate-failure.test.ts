import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";

const RAIN = '{"content":[{"type":"text","text":"{\\"tempF\\":60}"}],"structuredContent":{"tempF":60},"isError":false}';

test("a failed test carries its trace, which GitHub and JUnit show too", { timeout: 60_000 }, async () => {
  const args = ["mismatch", "matcher", "--reporter=github-actions", "--reporter=junit", "--reporter=json"];
  const { output } = await createConsumer("red").vitest(args);
  const seattle = `get_weather {"city":"Seattle"} on /mcp -> answered: ${RAIN} (weather.json:get_weather#0)`;
  expect(output).toContain(`
 ❯ matcher.test.ts:6:15 MCP trace
   ↳ All that this test asked of the server:
  1. ${seattle}
`);
  expect(output).toContain(
    "\n::notice file=<root>/mismatch.test.ts,line=1,column=1,title=MCP trace::All that this test asked of the server:%0A" +
      '  1. get_weather {"city":"seattle"} on /mcp -> mismatch: error -32602, aimock MCP fake mismatch: tool "get_weathe… (181 more chars)%0A' +
      `  2. ${seattle}\n`,
  );
  expect(output).toContain(
    '<property name="MCP trace" value="All that this test asked of the server:\n  1. get_weather',
  );
  expect(output).toContain('"meta":{}');
  expect(output).not.toContain("mcp-fakes/trace");
});
