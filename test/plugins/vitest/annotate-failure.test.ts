import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parse } from "flatted";
import { expect, test } from "vitest";
import type { RunnerTask, RunnerTestFile } from "vitest/node";
import { createConsumer } from "../../_support/consumer.ts";
import { PENDING_TRACE } from "../../_support/red.ts";

const RAIN = '{"content":[{"type":"text","text":"{\\"tempF\\":60}"}],"structuredContent":{"tempF":60},"isError":false}';
const SEATTLE = `get_weather {"city":"Seattle"} on /mcp -> answered: ${RAIN} (weather.json:get_weather#0)`;
const MISMATCH = `get_weather {"city":"seattle"} on /mcp -> mismatch: error -32602, aimock MCP fake mismatch: tool "get_weathe… (181 more chars)`;

test("a failed test carries its trace, which GitHub and JUnit show too", { timeout: 60_000 }, async () => {
  const args = ["mismatch", "matcher", "pending", "--reporter=github-actions", "--reporter=junit", "--reporter=json"];
  const { output } = await createConsumer("red").vitest(args);
  expect(output).toContain(`
 ❯ matcher.test.ts:6:15 MCP trace
   ↳ All that this test asked of the server:
  1. initialize on /mcp
  2. ${SEATTLE}
`);
  expect(output).toContain(`\n   ↳ ${PENDING_TRACE}\n`);
  expect(output).toContain(
    "\n::notice file=<root>/mismatch.test.ts,line=1,column=1,title=MCP trace::All that this test asked of the server:%0A" +
      "  1. initialize on /mcp%0A" +
      `  2. ${MISMATCH}%0A` +
      "  3. initialize on /mcp%0A" +
      `  4. ${SEATTLE}\n`,
  );
  expect(output).toContain(
    '<property name="MCP trace" value="All that this test asked of the server:\n  1. initialize on /mcp\n  2. get_weather',
  );
  expect(output).toContain('"meta":{}');
  expect(output).not.toContain("mcp-fakes/trace");
});

test("the HTML report has the trace at the line that failed, else at the test", { timeout: 60_000 }, async () => {
  const consumer = createConsumer("red");
  await consumer.vitest(["mismatch", "matcher", "--reporter=html"]);
  expect(annotationsOf(reportIn(consumer.folder), "matcher.test.ts")).toEqual([
    {
      type: "MCP trace",
      message: `All that this test asked of the server:\n  1. initialize on /mcp\n  2. ${SEATTLE}`,
      location: { file: join(consumer.folder, "matcher.test.ts"), line: 6, column: 15 },
    },
  ]);
  expect(annotationsOf(reportIn(consumer.folder), "mismatch.test.ts")).toEqual([
    {
      type: "MCP trace",
      message: `All that this test asked of the server:\n  1. initialize on /mcp\n  2. ${MISMATCH}\n  3. initialize on /mcp\n  4. ${SEATTLE}`,
      location: { file: join(consumer.folder, "mismatch.test.ts"), line: 4, column: 1 },
    },
  ]);
});

/** What the page of the HTML reporter loads and shows. */
function reportIn(folder: string): { readonly files: readonly RunnerTestFile[] } {
  return parse(String(gunzipSync(readFileSync(join(folder, "html/html.meta.json.gz")))));
}

function annotationsOf({ files }: ReturnType<typeof reportIn>, name: string): unknown[] {
  const tasks: RunnerTask[] = files.filter((file) => file.name === name).flatMap((file) => file.tasks);
  return tasks.flatMap((task) => (task.type === "test" ? task.annotations : []));
}
