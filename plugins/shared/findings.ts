import { differenceCount } from "../../src/difference.ts";
import type { FakesReport } from "../../src/fakes/report.ts";
import type { ToolCall } from "../../src/journal/report.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/json.ts";
import { showJson } from "../../src/text.ts";

type Unused = FakesReport["unconsumed"][number];

/** How a test's fakes stand. */
export interface Findings {
  readonly report: FakesReport;
  /** The test's tool calls, asked for only when there is something to tell; `null` where a report is all that is known. */
  calls(): readonly ToolCall[] | null;
}

/** Everything that is wrong with a test's calls and fakes, one paragraph for each kind; empty when nothing is. */
export function problemParagraphs({ report, calls: known }: Findings): string[] {
  const calls = known();
  const failures = calls === null ? report.failures.map(failureLine) : calls.flatMap(failureLines);
  return [
    ...paragraph(failures, "fake failure", list),
    ...(report.evicted ? [EVICTED] : []),
    ...paragraph(unknownToolCalls(report).map(callText), "call of an unknown tool", list, "calls of unknown tools"),
    ...paragraph(report.unconsumed, "unused fake", unusedTable),
  ];
}

/** Whether a fake refused a call, a call named an unknown tool, or so much happened that this is not known any more. */
export function hasFailures(report: FakesReport): boolean {
  return report.failures.length > 0 || report.evicted || unknownToolCalls(report).length > 0;
}

/** Calls that named a tool which nobody registered or faked. */
export function unknownToolCalls(report: FakesReport): FakesReport["unfaked"] {
  return report.unfaked.filter(({ answeredBy }) => answeredBy === "unknown-tool");
}

/** One call as a line: `create_ticket {"title":"Refund"} on /mcp`. */
export function callText({ tool, args, mount }: { tool: string; args: Json; mount: string }): string {
  return `${tool} ${showJson(args)} on ${mount}`;
}

/** The first call that no entry took: its arguments beside those of the entry that came closest. */
export function closestMismatch(calls: readonly ToolCall[]): { expected: JsonObject; received: Json } | null {
  for (const call of calls) {
    const { received = null, declared } = fakeErrorOf(call) ?? {};
    const candidates = Array.isArray(declared) ? declared.filter(isJsonObject).map(({ args }) => args) : [];
    const expected = closest(candidates.filter(isJsonObject), received);
    if (expected !== undefined) return { expected, received };
  }
  return null;
}

/** The value that differs from `wanted` in the fewest places; the first of several. */
export function closest<T extends Json>(values: readonly T[], wanted: Json): T | undefined {
  const ranked = values.map((value) => ({ value, count: differenceCount(value, wanted) }));
  return ranked.sort((one, other) => one.count - other.count)[0]?.value;
}

/** Numbered lines. */
export function list(lines: readonly string[]): string {
  return lines.map((line, index) => `  ${index + 1}. ${line}`).join("\n");
}

const EVICTED =
  "The server no longer knows all of this test's calls: they went over one of its caps (fixtureCountsMax, journalMax).";

function paragraph<T>(
  items: readonly T[],
  noun: string,
  body: (items: readonly T[]) => string,
  plural = `${noun}s`,
): string[] {
  return items.length === 0 ? [] : [`${items.length} ${items.length === 1 ? noun : plural}:\n${body(items)}`];
}

function failureLine(failure: FakesReport["failures"][number]): string {
  return `${failure.code}: ${callText(failure)}`;
}

function failureLines(call: ToolCall): string[] {
  const { code, firstDifference } = fakeErrorOf(call) ?? {};
  if (code === undefined || call.error === null) return [];
  const difference = firstDifference === undefined ? "" : `\n     ${firstDifference}`;
  return [`${code}: ${call.error.message}${difference}`];
}

/** `data.aimock` of the error that a fake answered a call with. */
function fakeErrorOf({ error }: ToolCall): JsonObject | null {
  const data = error?.data;
  return isJsonObject(data) && isJsonObject(data.aimock) ? data.aimock : null;
}

/** Unused entries as a table: id, arguments, file. */
function unusedTable(entries: readonly Unused[]): string {
  const rows = entries.map((entry) => [entry.entryId, "args" in entry ? showJson(entry.args) : "any", entry.file]);
  const table = [["id", "arguments", "file"], ...rows];
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => (row[column] ?? "").length)));
  return table.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`).join("\n");
}
