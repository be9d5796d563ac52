import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";
import { failureTexts } from "../../_support/failures.ts";

const AGENTS = ["ai-sdk", "langchain", "openai-agents", "plain"];
const TIMEOUT = { timeout: 120_000 };

/** The shipped scenarios, and one test file for each agent. */
function project(cases: "scenarios" | "hasty") {
  const shipped = ["tickets/retry.json", "weather/seattle.json"].map((name) => {
    const path = join("fixtures", name);
    return [path, readFileSync(path, "utf8")];
  });
  const tests = AGENTS.map((agent) => [
    `${agent}.test.ts`,
    `import { runAgent } from "./${agent}.ts";\nimport { ${cases} } from "./scenarios.ts";\n\n${cases}(runAgent);\n`,
  ]);
  return createConsumer("agents", Object.fromEntries([...shipped, ...tests]));
}

test("real agents do what the scenarios say, in concurrent tests of equal names", TIMEOUT, async () => {
  const { exitCode, output } = await project("scenarios").vitest();
  expect(output).toContain(" Test Files  4 passed (4)\n      Tests  8 passed (8)\n");
  expect(exitCode).toBe(0);
});

test("real agents that give up too early are red, each in its own test", TIMEOUT, async () => {
  const { exitCode, output } = await project("hasty").vitest();
  const red = AGENTS.map((agent) => {
    const testId = `${agent}.test.ts › tickets › retry on timeout`;
    return `FAIL  ${agent}.test.ts > tickets > retry on timeout
Error: The agent did not do what the fakes of this test say.

Test: ${testId}

1 unused fake:
  id                        arguments           file
  tickets/retry.json:retry  {"title":"Refund"}  tickets/retry.json

2 scripted turns that no model was asked for:
  id                              match
  tickets/turns.json:fixtures[0]  {"userMessage":"open a refund ticket","toolResultContains":"upstream timeout"}
  tickets/turns.json:fixtures[1]  {"userMessage":"open a refund ticket","toolResultContains":"TICKET-42"}`;
  });
  expect(failureTexts(output).toSorted()).toEqual(red);
  expect(exitCode).toBe(1);
});
