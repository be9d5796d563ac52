import type { CallFact } from "../fakes/model.ts";
import { type FakesReport, reportOf } from "../fakes/report.ts";
import type { FakeStore } from "../fakes/store.ts";
import type { UnconsumedEntry } from "../fakes/views.ts";
import type { Identity } from "../identity.ts";
import { DEFAULT_TEST_ID, type Journal, type JournalRecord } from "./journal.ts";
import type { TestRegistry } from "./tests.ts";

/** What a report is made from: the journal, and the fakes of each mount. */
export interface ReportSources {
  readonly journal: Journal;
  readonly tests: TestRegistry;
  readonly mocks: readonly { readonly mount: string; readonly fakes: FakeStore }[];
}

/**
 * How the fakes of one identity stand: what was served, what failed, what is left (sheet of the wire, 8.3). Without a
 * context, the report of an announced test covers every context that its blocks and calls name.
 */
export function reportOn(
  sources: ReportSources,
  { testId, context }: Pick<Identity, "testId" | "context">,
): FakesReport {
  const calls = callsOf(sources, testId);
  const isWhole = context === null && testId !== null && sources.tests.get(testId) !== undefined;
  const contexts = isWhole ? contextsOf(sources, testId) : [context];
  return reportOf({
    identity: { testId, context },
    calls: calls.map((record) => ({ testId, context: isWhole ? null : record.context, call: record.mcp.call })),
    unconsumed: unconsumedIn(sources, testId, contexts),
    evicted: sources.journal.dropped(testId) > 0 || sources.mocks.some(({ fakes }) => fakes.isEvicted(testId)),
  });
}

/** No context, and each that the test's own blocks ask for. */
function contextsOf({ mocks }: ReportSources, testId: string): (string | null)[] {
  return [null, ...new Set(mocks.flatMap(({ fakes }) => fakes.contextsOf(testId)))];
}

/** An entry may be seen from several contexts; it is listed once. */
function unconsumedIn(
  { mocks }: ReportSources,
  testId: string | null,
  contexts: readonly (string | null)[],
): UnconsumedEntry[] {
  return mocks.flatMap(({ fakes }) => {
    const seen = contexts.flatMap((context) => fakes.unconsumed({ testId, context, undeclared: null }));
    return [...new Map(seen.map((entry) => [entry.entryId, entry])).values()];
  });
}

/** The tool calls of one test's current attempt, oldest first. */
export function callsOf(
  { journal, tests }: Pick<ReportSources, "journal" | "tests">,
  testId: string | null,
): CallRecord[] {
  const attempt = testId === null ? null : tests.attemptOf(testId);
  return journal
    .query({ service: "mcp", testId: testId ?? DEFAULT_TEST_ID })
    .filter(isCall)
    .filter((record) => attempt === null || record.attempt === attempt);
}

/** A record of a `tools/call`. */
export type CallRecord = JournalRecord & { readonly mcp: { readonly call: CallFact } };

function isCall(record: JournalRecord): record is CallRecord {
  return record.mcp?.call !== undefined;
}

/** One tool call as a test sees it. */
export interface ToolCall extends CallFact {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
}

export function toCall({ mcp, timestamp, durationMs }: CallRecord): ToolCall {
  return { ...mcp.call, startedAt: timestamp, durationMs };
}
