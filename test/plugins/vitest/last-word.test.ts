import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";
import { LAST_WORD } from "../../_support/last-word.ts";

const TIMEOUT = { timeout: 60_000 };

test("a run's last word: calls of no test, scopes of no test, fakes that nobody used", TIMEOUT, async () => {
  const { exitCode, output } = await createConsumer("last-word").vitest();
  expect(output).toContain(" Test Files  1 passed (1)\n      Tests  3 passed | 1 skipped (4)\n");
  expect(output).toContain(LAST_WORD);
  expect(exitCode).toBe(1);
});

test("a configuration in CommonJS has the last word too", TIMEOUT, async () => {
  const consumer = createConsumer("last-word", { "package.json": '{ "type": "commonjs" }' });
  const { exitCode, output } = await consumer.vitest();
  expect(output).toContain(LAST_WORD);
  expect(exitCode).toBe(1);
});

test("of a part of the tests, nothing is said of what was not used", TIMEOUT, async () => {
  const { output } = await createConsumer("last-word").vitest(["-t", "works"]);
  expect(output.match(/^mcp-fakes: .*/gm)).toEqual([
    expect.stringMatching(/^mcp-fakes: 1 tool call carried no test id, .* which makes the run fail \(exit code 1\)/),
  ]);
});
