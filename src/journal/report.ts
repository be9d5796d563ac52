import type { CallFact } from "../fakes/fact.ts";
import { type FakesReport, type ModelFailureReport, reportOf } from "../fakes/report.ts";
import type { FakeStore } from "../fakes/store.ts";
import type { UnconsumedEntry } from "../fakes/views.ts";
import type { Identity } from "../identity.ts";
import { unaskedFixture } from "../llm/fixture-view.ts";
import type { TurnStore } from "../llm/store.ts";
import { type CommandFacts, isModelFailure } from "./facts.ts";
import { DEFAULT_TEST_ID, type Journal, type JournalRecord } from "./journal.ts";
import type { TestRegistry } from "./tests.ts";
import { type TurnRecord, turnsOf } from "./turns.ts";

/** What a report is made from: the journal, and the fakes of each mount. */
export interface ReportSources {
  readonly journal: Journal;
  readonly tests: TestRegistry;
  readonly mocks: readonly { readonly mount: string; readonly fakes: FakeStore }[];
  /** The scripted turns of models; `null` where no models are served. */
  readonly turns: TurnStore | null;
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
    strayCommands: isWhole || context === null ? strayCommandsOf(sources, testId) : [],
    modelFailures: turnsOf(sources, testId)
      .filter((record) => isWhole || record.context === context)
      .flatMap(modelFailure),
    unasked: unaskedIn(sources, testId, contexts),
    evicted:
      sources.journal.dropped(testId) > 0 ||
      sources.mocks.some(({ fakes }) => fakes.isEvicted(testId)) ||
      sources.turns?.isEvicted(testId) === true,
  });
}

/** The runs of commands in one test's current attempt that nothing scripted answered. */
function strayCommandsOf({ journal, tests }: ReportSources, testId: string | null): CommandFacts[] {
  const attempt = testId === null ? null : tests.attemptOf(testId);
  return journal
    .query({ service: "cli", testId: testId ?? DEFAULT_TEST_ID })
    .filter((record) => attempt === null || record.attempt === attempt)
    .flatMap(({ command }) => (command?.outcome === "unexpected" ? [command] : []));
}

/** No context, and each that the test's own blocks ask for. */
function contextsOf({ mocks, turns }: ReportSources, testId: string): (string | null)[] {
  const stores = [...mocks.map(({ fakes }) => fakes), ...(turns === null ? [] : [turns])];
  return [null, ...new Set(stores.flatMap((store) => store.contextsOf(testId)))];
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

/** A turn may be seen from several contexts; it is listed once. */
function unaskedIn(
  { turns }: ReportSources,
  testId: string | null,
  contexts: readonly (string | null)[],
): FakesReport["unasked"] {
  const fixtures = new Set(contexts.flatMap((context) => turns?.unasked({ testId, context }) ?? []));
  return [...fixtures].map(unaskedFixture);
}

function modelFailure({ model: { outcome, said, turn } }: TurnRecord): ModelFailureReport[] {
  if (said.kind !== "error" || !isModelFailure(outcome)) return [];
  return [{ outcome, model: turn?.model ?? "unknown model", message: said.message }];
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
