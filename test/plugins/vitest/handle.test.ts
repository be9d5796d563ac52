import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";

test("the handle, identities, and agents in other processes", { timeout: 60_000 }, async () => {
  const { exitCode, output } = await createConsumer("handle").vitest();
  expect(output).toContain(" Test Files  3 passed (3)\n      Tests  23 passed | 2 expected fail | 1 skipped (26)\n");
  expect(output).not.toContain("mcp-fakes:");
  expect(exitCode).toBe(0);
});
