import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";

test("every matcher holds, fails with its whole text, and refuses a wrong subject", { timeout: 60_000 }, async () => {
  const { exitCode, output } = await createConsumer("matchers").jest();
  expect(output).toContain("\nTest Suites: 2 passed, 2 total\nTests:       17 passed, 17 total\n");
  expect(exitCode).toBe(0);
});
