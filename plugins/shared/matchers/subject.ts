import { control } from "../../../src/control/client.ts";
import type { FakesReport } from "../../../src/fakes/report.ts";
import type { JournalEntry } from "../../../src/journal/entry.ts";
import type { CommandFacts } from "../../../src/journal/facts.ts";
import type { ToolCall } from "../../../src/journal/report.ts";
import type { ModelTurn } from "../../../src/journal/turns.ts";
import { requireTest } from "../current-test.ts";
import { placesIn } from "../fake-places.ts";
import type { Findings } from "../findings.ts";
import { HANDLE } from "../handle.ts";
import { commandsOf, messagesOf, toCalls, toFacts } from "../messages.ts";
import { usageError } from "../own-errors.ts";
import { show } from "../show.ts";
import { askNow } from "../sync-client.ts";
import { requireOptions } from "./require-options.ts";

/** Whose calls of an `MCPMock` or `LLMock` are meant. */
export interface SubjectIdentity {
  testId?: string;
  context?: string;
}

/** What a matcher looks at. */
export interface Subject {
  /** What a message calls it. */
  readonly name: "mcp" | "mock" | "report";
  /** The test whose calls these are, when they are one test's. */
  readonly testId: string | null;
  findings(): Findings;
  calls(): readonly ObservedCall[];
  /**
   * Tool calls, oldest first.
   *
   * @throws {TypeError} when the subject is a report, which holds no order.
   */
  ordered(): readonly ObservedCall[];
  /**
   * Runs of commands, oldest first.
   *
   * @throws {TypeError} when the subject is a report, which holds none.
   */
  commands(): readonly CommandFacts[];
  /**
   * Every MCP message, oldest first.
   *
   * @throws {TypeError} when the subject is a report, which holds none.
   */
  messages(): readonly JournalEntry[];
  /**
   * Requests to models for an answer, oldest first.
   *
   * @throws {TypeError} when the subject is a report or an `MCPMock`, which hold none.
   */
  turns(): readonly ModelTurn[];
}

export type ObservedCall = Pick<ToolCall, "tool" | "args" | "mount">;

/**
 * What was given to `expect`, as matchers see it.
 *
 * @throws {TypeError} for anything that is no handle, mock or report: a matcher must never pass on the wrong thing.
 */
export function readSubject(value: unknown, matcher: string, identity: SubjectIdentity = {}): Subject {
  requireOptions(matcher, identity, IDENTITY_KEYS);
  if (typeof value === "object" && value !== null) {
    if (isMock(value)) return ofMock(value, matcher, identity);
    const subject = HANDLE in value ? ofRunningTest(matcher) : isReport(value) ? ofReport(value, matcher) : null;
    if (subject !== null) {
      refuseIdentity(subject, matcher, identity);
      return subject;
    }
  }
  throw usageError(
    `expect(subject).${matcher}(): the subject must be mcp, an MCPMock, an LLMock or a report from mcp.report(), ` +
      `got ${describe(value)}.`,
  );
}

/** What tells the calls of one test from those of others. */
export const IDENTITY_KEYS = ["testId", "context"] as const satisfies (keyof SubjectIdentity)[];

/** Calls of another test are not there to be looked at: a matcher would speak of the wrong ones. */
function refuseIdentity({ name }: Subject, matcher: string, identity: SubjectIdentity): void {
  const given = IDENTITY_KEYS.filter((key) => identity[key] !== undefined);
  if (given.length === 0) return;
  const own = name === "mcp" ? "mcp holds the calls of the running test alone" : "a report is one test's own";
  const meant = given.map((key) => `${key} ${show(identity[key])}`).join(", ");
  throw usageError(
    `expect(${name}).${matcher}(): ${own}, got ${meant}. Leave it out, or give an MCPMock or an LLMock.`,
  );
}

function ofRunningTest(matcher: string): Subject {
  const test = requireTest(`expect(mcp).${matcher}()`);
  const messages = () => messagesOf(test);
  const calls = () => messages().flatMap(toCalls);
  return {
    name: "mcp",
    testId: test.id,
    findings: () => ({
      report: askNow(control.report(test.id)),
      facts: () => messages().flatMap(toFacts),
      placeOf: placesIn(test.added),
    }),
    calls,
    ordered: calls,
    commands: () => commandsOf(test),
    messages,
    turns: () => askNow(control.turns(test.id)).filter(isConversation),
  };
}

function isConversation({ said }: ModelTurn): boolean {
  return said.kind !== "embedding";
}

/** The part of `MCPMock` and `LLMock` that matchers read; a test worker does not load their classes. */
interface Mock {
  fakesReport(testId: string | null, context: string | null): FakesReport;
  getRequests(): readonly JournalEntry[];
  /** Only an `LLMock` serves models. */
  getTurns?(identity: SubjectIdentity): readonly ModelTurn[];
}

function isMock(value: object): value is Mock {
  return ["fakesReport", "getRequests"].every((name) => typeof Reflect.get(value, name) === "function");
}

function ofMock(mock: Mock, matcher: string, identity: SubjectIdentity): Subject {
  const { testId, context } = identity;
  const ofIdentity = (service: string) =>
    mock
      .getRequests()
      .filter((entry) => entry.service === service)
      .filter((entry) => testId === undefined || entry.testId === testId)
      .filter((entry) => context === undefined || entry.context === context);
  const messages = () => ofIdentity("mcp");
  const calls = () => messages().flatMap(toCalls);
  return {
    name: "mock",
    testId: testId ?? null,
    findings: () => ({
      report: mock.fakesReport(testId ?? null, context ?? null),
      facts: () => messages().flatMap(toFacts),
      placeOf: placesIn([]),
    }),
    calls,
    ordered: calls,
    commands: () => ofIdentity("cli").flatMap(({ command }) => command ?? []),
    messages,
    turns() {
      if (mock.getTurns !== undefined) return mock.getTurns(identity).filter(isConversation);
      throw new TypeError(`expect(mock).${matcher}(): an MCPMock serves no models. Give mcp or an LLMock.`);
    },
  };
}

function isReport(value: object): value is FakesReport {
  return ["served", "unconsumed", "unfaked", "failures"].every((name) => Array.isArray(Reflect.get(value, name)));
}

function ofReport(report: FakesReport, matcher: string): Subject {
  const refuse = () => {
    throw usageError(
      `expect(report).${matcher}(): a report holds no messages and no order of calls. Give mcp, an MCPMock or an LLMock.`,
    );
  };
  return {
    name: "report",
    testId: report.testId,
    findings: () => ({ report, facts: () => null, placeOf: placesIn([]) }),
    calls: () =>
      [...report.served, ...report.unfaked, ...report.failures].flatMap(({ tool, args, mount }) =>
        tool === undefined ? [] : [{ tool, args, mount }],
      ),
    ordered: refuse,
    commands: refuse,
    messages: refuse,
    turns: refuse,
  };
}

function describe(value: unknown): string {
  if (typeof value === "string") return `the string ${JSON.stringify(value)}`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof Promise) return "a promise (await it first)";
  if (typeof value === "object" && value !== null) return `an object with the keys ${Object.keys(value).join(", ")}`;
  return String(value);
}
