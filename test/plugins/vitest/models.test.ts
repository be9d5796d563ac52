import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";
import { failuresOf } from "../../_support/failures.ts";

const TIMEOUT = { timeout: 60_000 };

test("tests of models: matchers, turns, base URLs", TIMEOUT, async () => {
  const { exitCode, output } = await createConsumer("models").vitest(["matchers.test.ts"]);
  expect(output).toContain(" Test Files  1 passed (1)\n      Tests  6 passed (6)\n");
  expect(exitCode).toBe(0);
});

test(
  "a request that no scripted turn answers turns its test red, though the agent kept it to itself",
  TIMEOUT,
  async () => {
    const { exitCode, texts } = await failuresOf("models", "red-miss.test.ts");
    expect(texts).toEqual([
      `FAIL  red-miss.test.ts > an agent that says something else, and keeps the refusal to itself
Error: The agent did not do what the fakes of this test say.

Test: red-miss.test.ts › an agent that says something else, and keeps the refusal to itself

1 unanswered request to a model:
  1. gpt-4o: No fixture matched (testId "red-miss.test.ts › an agent that says something else, and keeps the refusal to itself"). Closest: shared.json:fixtures[0]; match.userMessage: expected text containing "hello", received "goodbye".`,
    ]);
    expect(exitCode).toBe(1);
  },
);

test("a scripted turn that the agent never asks for turns its test red", TIMEOUT, async () => {
  const { exitCode, texts } = await failuresOf("models", "red-half.test.ts");
  expect(texts).toEqual([
    `FAIL  red-half.test.ts > refund
Error: The agent did not do what the fakes of this test say.

Test: red-half.test.ts › refund

1 scripted turn that no model was asked for:
  id                       match
  refund.json:fixtures[1]  {"userMessage":"refund","toolResultContains":"TICKET-42"}`,
  ]);
  expect(exitCode).toBe(1);
});

test("an agent that goes astray is told where, and what it left out", TIMEOUT, async () => {
  const { texts } = await failuresOf("models", "red-unasked.test.ts");
  expect(texts).toEqual([
    `FAIL  red-unasked.test.ts > refund
Error: The agent did not do what the fakes of this test say.

Test: red-unasked.test.ts › refund

1 unanswered request to a model:
  1. gpt-4o: No fixture matched (testId "red-unasked.test.ts › refund"). Closest: refund.json:fixtures[1]; match.toolResultContains: expected the last message to be a tool result with text containing "TICKET-42", received "TICKET-43".

1 scripted turn that no model was asked for:
  id                       match
  refund.json:fixtures[1]  {"userMessage":"refund","toolResultContains":"TICKET-42"}`,
  ]);
});
