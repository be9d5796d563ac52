import type { CallFact, Fact, PromptFact, ReadFact } from "../fakes/fact.ts";
import {
  type FakesReport,
  type ModelFailureReport,
  type Refused,
  type ReportFacts,
  reportOf,
} from "../fakes/report.ts";
import type { FakeStore } from "../fakes/store.ts";
import type { UnconsumedEntry } from "../fakes/views.ts";
import type { Identity } from "../identity.ts";
import { unaskedFixture } from "../llm/fixture-view.ts";
import type { TurnStore } from "../llm/store.ts";
import { type CommandFacts, isModelFailure } from "./facts.ts";
import { DEFAULT_TEST_ID, type Journal } from "./journal.ts";
import { refusalsIn } from "./refusals.ts";
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
  const asked = askedBy(sources, testId);
  const isWhole = context === null && testId !== null && sources.tests.get(testId) !== undefined;
  const contexts = isWhole ? contextsOf(sources, testId) : [context];
  return reportOf({
    identity: { testId, context },
    facts: asked.map(({ fact, ...record }) => ({ testId, context: isWhole ? null : record.context, fact })),
    refused: refusedIn(sources, testId),
    unconsumed: unconsumedIn(sources, testId, contexts),
    unusedFaults: unusedFaultsIn(sources, testId, contexts),
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

/** A fault may be seen from several contexts; it is listed once. */
function unusedFaultsIn(
  { mocks }: ReportSources,
  testId: string | null,
  contexts: readonly (string | null)[],
): ReportFacts["unusedFaults"] {
  return mocks.flatMap(({ fakes }) => {
    const seen = contexts.flatMap((context) => fakes.unusedFaults({ testId, context, undeclared: null }));
    return [...new Map(seen.map((fault) => [fault.faultId, fault])).values()];
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

/** What one test's current attempt asked for and was refused before a fake saw it. */
function refusedIn({ journal, tests }: ReportSources, testId: string | null): Refused[] {
  const attempt = testId === null ? null : tests.attemptOf(testId);
  return journal
    .query({ testId: testId ?? DEFAULT_TEST_ID })
    .filter((record) => attempt === null || record.attempt === attempt)
    .flatMap(refusalsIn);
}

/** What one test's current attempt asked for, oldest first. */
export function askedBy(
  { journal, tests }: Pick<ReportSources, "journal" | "tests">,
  testId: string | null,
): AskedRecord[] {
  const attempt = testId === null ? null : tests.attemptOf(testId);
  return journal
    .query({ service: "mcp", testId: testId ?? DEFAULT_TEST_ID })
    .filter((record) => attempt === null || record.attempt === attempt)
    .flatMap(({ mcp, timestamp: startedAt, durationMs, context }) => {
      const fact = mcp?.call ?? mcp?.read ?? mcp?.prompt;
      return fact === undefined ? [] : [{ fact, context, time: { startedAt, durationMs } }];
    });
}

/** A request for a target, with what is known of it. */
export interface AskedRecord {
  readonly fact: Fact;
  readonly context: string | null;
  readonly time: Time;
}

interface Time {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
}

/** One tool call as a test sees it. */
export interface ToolCall extends CallFact, Time {}

/** One read of a resource as a test sees it. */
export interface ResourceRead extends ReadFact, Time {}

/** One use of a prompt as a test sees it. */
export interface PromptUse extends PromptFact, Time {}

/** The same, sorted by kind. */
export function sorted(asked: readonly AskedRecord[]): {
  calls: ToolCall[];
  reads: ResourceRead[];
  prompts: PromptUse[];
} {
  const calls: ToolCall[] = [];
  const reads: ResourceRead[] = [];
  const prompts: PromptUse[] = [];
  for (const { fact, time } of asked) {
    if (fact.tool !== undefined) calls.push({ ...fact, ...time });
    else if (fact.resource !== undefined) reads.push({ ...fact, ...time });
    else prompts.push({ ...fact, ...time });
  }
  return { calls, reads, prompts };
}
