import { expect, test } from "vitest";
import { agentsProject, HASTY } from "../../_support/agents.ts";

const TIMEOUT = { timeout: 120_000 };
/** Some agents are ES modules alone. */
const ES_MODULES = { NODE_OPTIONS: "--experimental-vm-modules" };

test("real agents do what the scenarios say, in concurrent tests of equal names", TIMEOUT, async () => {
  const { exitCode, output } = await agentsProject("scenarios").jest([], ES_MODULES);
  expect(output).toContain("\nTest Suites: 4 passed, 4 total\nTests:       8 passed, 8 total\n");
  expect(exitCode).toBe(0);
});

test("real agents that give up too early are red, each in its own test", TIMEOUT, async () => {
  const { exitCode, output } = await agentsProject("hasty").jest([], ES_MODULES);
  for (const { text } of HASTY) {
    const indented = text.replace(/^(?=.)/gm, "    ");
    expect(output).toContain(`  ● tickets › retry on timeout\n\n${indented}\n\n`);
  }
  expect(exitCode).toBe(1);
});
