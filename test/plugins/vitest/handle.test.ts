import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";
import { LATE_ATTEMPT } from "../../_support/red.ts";

test("the handle, identities, and agents in other processes", { timeout: 60_000 }, async () => {
  const { exitCode, output } = await createConsumer("handle").vitest();
  expect(output).toContain(" Test Files  6 passed (6)\n      Tests  33 passed | 2 expected fail | 1 skipped (36)\n");
  expect(output.match(/^mcp-fakes: .*\n.*$/gm)).toEqual([LATE_ATTEMPT]);
  expect(exitCode).toBe(0);
});
