import type { FakesReport, Refused } from "../fakes/report.ts";
import type { Json } from "../json.ts";
import { DEFAULT_TEST_ID, type JournalRecord } from "./journal.ts";
import { refusalsIn } from "./refusals.ts";

/** What a runner says of a test when it starts. */
export interface TestAnnouncement {
  readonly testId: string;
  /** Relative to the project root, with `/`. */
  readonly file: string;
  /** Names from the outermost describe to the test. */
  readonly names: readonly string[];
  /** 1 for the first try; a retry, repeat or re-run counts up. */
  readonly attempt: number;
  /** Which project of the run it belongs to: others may run the same file. */
  readonly project?: string;
}

/** A test as its runner announced it. */
export interface AnnouncedTest extends TestAnnouncement {
  state: "running" | "ended";
  readonly startedAt: number;
  endedAt: number | null;
  /** How it stood when it ended. */
  report: FakesReport | null;
}

/** A request that belongs to no running test: for a tool, a resource, a prompt or of a model. */
export interface StrayCall {
  readonly url: string;
  /** `null` for all but tool calls. */
  readonly tool: string | null;
  /** Only on a read: its URI. */
  readonly resource?: string;
  /** Only on a use of a prompt: its name. */
  readonly prompt?: string;
  /** Only on a request to a model: its name. */
  readonly model?: string;
  /** Client name as told at `initialize`, else its `User-Agent`, else `null`. */
  readonly client: string | null;
  readonly testId: string | null;
  readonly timestamp: number;
}

/** A request that named a test and was refused, also before or after that test. */
export type RefusedCall = Refused & { readonly testId: string };

/** A test that its runner passes over. */
export type SkippedTest = Pick<TestAnnouncement, "testId" | "names">;

/** A tool call that is being answered. */
export interface OpenCall {
  /** The path that the mock is served at. */
  readonly mount: string;
  readonly tool: string;
  readonly args: Json;
  readonly client: string | null;
  readonly testId: string;
}

/** A tool call of a test that had no answer yet. */
export interface PendingCall extends Pick<OpenCall, "mount" | "tool" | "args"> {
  readonly startedAt: number;
}

/** The tests that a runner announced, and the calls that belong to none of them. */
export interface TestRegistry {
  /** The id that a test gets: the one it asks for, with a number behind it when a test of another project has that one. */
  idFor(test: TestAnnouncement): string;
  /** Starts a test under the id that it got; it answers to scopes of the one it `asked` for too. Makes room by forgetting the test that ended longest ago; false when every test that is kept still runs. */
  start(test: TestAnnouncement, asked: string): boolean;
  /** Returns false for a test that is not running. */
  end(testId: string, report: FakesReport): boolean;
  get(testId: string): AnnouncedTest | undefined;
  all(): readonly AnnouncedTest[];
  /** The attempt that is running or ran last; `null` for an id that nobody announced. */
  attemptOf(testId: string): number | null;
  /** Notes tests that the run has and does not start; `null` for those of a file that could not be loaded. */
  skip(tests: readonly SkippedTest[] | null): void;
  /** False once tests were forgotten, or are said not to be known. */
  knowsEveryTest(): boolean;
  /** The scope ids that some test of the run answers to: one that was announced, and one that was skipped. */
  scopeIds(): { readonly announced: ReadonlySet<string>; readonly skipped: ReadonlySet<string> };
  hasEnded(testId: string | null): boolean;
  /** The scope ids, beside its own, that an announced test answers to: its names in each runner's joining. */
  aliases(testId: string): readonly string[];
  /** Sorts a call that carried no test id, came after its test's end or was refused into the lists below. */
  notice(record: JournalRecord): void;
  /** Notes that a call is being answered; answers what notes that it is. */
  opened(call: OpenCall): () => void;
  /** A test's calls that are being answered, oldest first. */
  pending(testId: string): readonly PendingCall[];
  untagged(): readonly StrayCall[];
  late(): readonly StrayCall[];
  /** Calls that were being answered when their test ended. */
  unfinished(): readonly StrayCall[];
  /** What was refused before a fake or a model saw it, of all tests and attempts. */
  refused(): readonly RefusedCall[];
}

/** How runners join names: ours and Vitest's reporters', Vitest's own, Jest's. */
export const JOINERS = [" › ", " > ", " "];

/** Enough to find the cause; a flood of stray calls must not fill the memory. */
const STRAY_MAX = 1000;

const NONE: readonly string[] = [];

export interface TestRegistryOptions {
  /** Most tests kept. */
  readonly max: number;
  readonly now?: () => number;
}

export function createTestRegistry({ max, now = Date.now }: TestRegistryOptions): TestRegistry {
  const tests = new Map<string, AnnouncedTest>();
  const aliases = new Map<string, readonly string[]>();
  const askedFor = new Map<string, string>();
  const untagged: StrayCall[] = [];
  const late: StrayCall[] = [];
  const unfinished: StrayCall[] = [];
  const refused: RefusedCall[] = [];
  const open = new Set<OpenCall & PendingCall>();
  const skipped = new Map<string, readonly string[]>();
  let isEveryTestKnown = true;

  function makeRoom(): boolean {
    if (tests.size < max) return true;
    for (const { testId, state } of tests.values()) {
      if (state === "running") continue;
      aliases.delete(testId);
      askedFor.delete(testId);
      isEveryTestKnown = false;
      return tests.delete(testId);
    }
    return false;
  }

  return {
    idFor({ testId: asked, project }) {
      for (let number = 1; ; number++) {
        const testId = number === 1 ? asked : `${asked} (${number})`;
        const holder = tests.get(testId);
        if (holder === undefined || (holder.project === project && askedFor.get(testId) === asked)) return testId;
      }
    },
    start(test, asked) {
      if (!tests.has(test.testId) && !makeRoom()) return false;
      tests.set(test.testId, { ...test, state: "running", startedAt: now(), endedAt: null, report: null });
      askedFor.set(test.testId, asked);
      aliases.set(test.testId, [...(asked === test.testId ? [] : [asked]), ...aliasesOf(test.names)]);
      return true;
    },
    end(testId, report) {
      const test = tests.get(testId);
      if (test?.state !== "running") return false;
      test.state = "ended";
      test.endedAt = now();
      test.report = report;
      const timestamp = now();
      for (const { mount: url, tool, client, testId: of } of open) {
        if (of === testId) keep(unfinished, { url, tool, client, testId, timestamp });
      }
      return true;
    },
    get: (testId) => tests.get(testId),
    all: () => [...tests.values()],
    attemptOf: (testId) => tests.get(testId)?.attempt ?? null,
    hasEnded: (testId) => testId !== null && tests.get(testId)?.state === "ended",
    aliases: (testId) => aliases.get(testId) ?? NONE,
    skip(tests) {
      if (tests === null) isEveryTestKnown = false;
      for (const { testId, names } of tests ?? []) skipped.set(testId, aliasesOf(names));
    },
    knowsEveryTest: () => isEveryTestKnown,
    scopeIds: () => ({ announced: flatten(aliases), skipped: flatten(skipped) }),
    opened(given) {
      const call = { ...given, startedAt: now() };
      open.add(call);
      return () => open.delete(call);
    },
    pending: (of) =>
      [...open].flatMap(({ mount, tool, args, startedAt, testId }) =>
        testId === of ? { mount, tool, args, startedAt } : [],
      ),
    notice(record) {
      const { filedUnder: testId } = record;
      if (testId !== DEFAULT_TEST_ID) for (const call of refusalsIn(record)) keep(refused, { ...call, testId });
      const what = callIn(record);
      if (what === null) return;
      if (record.testId === null) add(untagged, record, what);
      else if (what.outcome === "test_ended") add(late, record, what);
    },
    untagged: () => untagged,
    late: () => late,
    unfinished: () => unfinished,
    refused: () => refused,
  };
}

function flatten(namesById: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  return new Set([...namesById].flatMap(([testId, names]) => [testId, ...names]));
}

function aliasesOf(names: readonly string[]): readonly string[] {
  return [...new Set(JOINERS.map((joiner) => names.join(joiner)))];
}

interface CallIn extends Pick<StrayCall, "tool" | "resource" | "prompt" | "model"> {
  readonly outcome: string;
}

/** The request for a target or to a model that a record holds. Embeddings are no turn of a test. */
function callIn({ mcp, model }: JournalRecord): CallIn | null {
  if (mcp?.call !== undefined) return { tool: mcp.call.tool, outcome: mcp.call.outcome };
  if (mcp?.read !== undefined) return { tool: null, resource: mcp.read.resource, outcome: mcp.read.outcome };
  if (mcp?.prompt !== undefined) return { tool: null, prompt: mcp.prompt.prompt, outcome: mcp.prompt.outcome };
  if (model === null || model.turn?.endpoint === "embedding") return null;
  return { tool: null, model: model.turn?.model ?? "unknown model", outcome: model.outcome };
}

function add(list: StrayCall[], record: JournalRecord, { outcome: _outcome, ...what }: CallIn): void {
  keep(list, {
    url: record.path,
    ...what,
    client: record.mcp?.client ?? record.headers["user-agent"] ?? null,
    testId: record.testId,
    timestamp: record.timestamp,
  });
}

function keep<Call>(list: Call[], call: Call): void {
  if (list.length < STRAY_MAX) list.push(call);
}
