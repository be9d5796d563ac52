import { expect, test } from "vitest";
import { agentsProject, HASTY } from "../../_support/agents.ts";
import { failureTexts } from "../../_support/failures.ts";

const TIMEOUT = { timeout: 120_000 };

test("real agents do what the scenarios say, in concurrent tests of equal names", TIMEOUT, async () => {
  const { exitCode, output } = await agentsProject("scenarios").vitest();
  expect(output).toContain(" Test Files  4 passed (4)\n      Tests  8 passed (8)\n");
  expect(exitCode).toBe(0);
});

test("real agents that give up too early are red, each in its own test", TIMEOUT, async () => {
  const { exitCode, output } = await agentsProject("hasty").vitest();
  const red = HASTY.map(({ file, text }) => `FAIL  ${file} > tickets > retry on timeout\nError: ${text}`);
  expect(failureTexts(output).toSorted()).toEqual(red);
  expect(exitCode).toBe(1);
});
