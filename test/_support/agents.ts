import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Consumer, createConsumer } from "./consumer.ts";

const AGENTS = ["ai-sdk", "langchain", "openai-agents", "plain"];

/** The shipped scenarios, and one test file for each agent, for any runner. */
export function agentsProject(cases: "scenarios" | "hasty"): Consumer {
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

/** What is said of each agent that gives up too early. */
export const HASTY = AGENTS.map((agent) => ({
  file: `${agent}.test.ts`,
  text: `The agent did not do what the fakes of this test say.

Test: ${agent}.test.ts › tickets › retry on timeout

1 unused fake:
  id                        arguments           file
  tickets/retry.json:retry  {"title":"Refund"}  tickets/retry.json

2 scripted turns that no model was asked for:
  id                              match
  tickets/turns.json:fixtures[0]  {"userMessage":"open a refund ticket","toolResultContains":"upstream timeout"}
  tickets/turns.json:fixtures[1]  {"userMessage":"open a refund ticket","toolResultContains":"TICKET-42"}`,
}));
