import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";

test("tests of models: matchers, turns, base URLs", { timeout: 60_000 }, async () => {
  const { exitCode, output } = await createConsumer("models").jest(["matchers.test.ts"]);
  expect(output).toContain("\nTest Suites: 1 passed, 1 total\nTests:       6 passed, 6 total\n");
  expect(exitCode).toBe(0);
});
