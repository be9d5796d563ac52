import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";
import { LATE_ATTEMPT } from "../../_support/red.ts";

test("the handle, identities, and agents in other processes", { timeout: 60_000 }, async () => {
  const { exitCode, output } = await createConsumer("handle").jest();
  expect(output).toContain("\nTest Suites: 5 passed, 5 total\nTests:       34 passed, 34 total\n");
  expect(output.match(/^mcp-fakes: .*\n.*$/gm)).toEqual([LATE_ATTEMPT]);
  expect(exitCode).toBe(0);
});
