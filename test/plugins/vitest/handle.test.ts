import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";

test("the handle, identities, and agents in other processes", { timeout: 60_000 }, async () => {
  const { exitCode, output } = await createConsumer("handle").vitest();
  expect(output).toContain(" Test Files  4 passed (4)\n      Tests  26 passed | 2 expected fail | 1 skipped (29)\n");
  expect(output.match(/^mcp-fakes: .*\n.*$/gm)).toEqual([
    `mcp-fakes: 1 tool call arrived after the test had ended. Await all that the agent does before the test returns.
  1. search at http://127.0.0.1:<port>/mcp (test attempts.test.ts › what a failed attempt left running does not use up the next one's fakes (attempt 1), client agent)`,
  ]);
  expect(exitCode).toBe(0);
});
