import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";

test("every matcher holds, fails with its whole text, and refuses a wrong subject", { timeout: 60_000 }, async () => {
  const { exitCode, output } = await createConsumer("matchers").vitest();
  expect(output).toContain(" Test Files  3 passed (3)\n      Tests  18 passed (18)\n");
  expect(exitCode).toBe(0);
});
