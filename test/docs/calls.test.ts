import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { CallOutcome } from "../../src/fakes/fact.ts";
import type { ToolCall } from "../../src/journal/report.ts";
import type { ModelTurn } from "../../src/journal/turns.ts";

const PAGE = readFileSync("docs/calls.md", "utf8");

/** The words in the first column of the table with this head. */
function wordsOf(head: string): string[] {
  const rows = PAGE.split(`| ${head} |`)[1]?.split("\n\n")[0]?.split("\n").slice(2) ?? [];
  return rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].flatMap(([, word]) => word ?? []));
}

// The compiler knows the words; here it keeps these lists whole.

const FIELDS: Record<keyof Omit<ToolCall, "resource" | "prompt">, true> = {
  tool: true,
  args: true,
  mount: true,
  outcome: true,
  entryId: true,
  result: true,
  error: true,
  startedAt: true,
  durationMs: true,
  warnings: true,
  fault: true,
  nearMiss: true,
  expectation: true,
};

const OUTCOMES: Record<CallOutcome, true> = {
  answered: true,
  mismatch: true,
  exhausted: true,
  not_declared: true,
  unexpected: true,
  evicted: true,
  internal_error: true,
  test_ended: true,
  verdict: true,
  handler: true,
  upstream: true,
  empty: true,
  unknown_tool: true,
  unknown_resource: true,
  unknown_prompt: true,
  invalid: true,
};

const TURN_OUTCOMES: Record<ModelTurn["outcome"], true> = {
  answered: true,
  scripted_error: true,
  queued_error: true,
  generated: true,
  invalid: true,
  no_match: true,
  evicted: true,
  test_ended: true,
};

test.each([
  ["field", FIELDS],
  ["outcome", OUTCOMES],
  ["outcome of a turn", TURN_OUTCOMES],
])("docs/calls.md has a row for each %s", (head, known) => {
  expect(wordsOf(head).sort()).toEqual(Object.keys(known).sort());
});
