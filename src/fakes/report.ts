import type { FakeFailureCode } from "../errors.ts";
import type { ModelFailure } from "../journal/facts.ts";
import type { Json } from "../json.ts";
import type { CallOutcome, Fact } from "./fact.ts";
import type { UnusedFault } from "./fault-views.ts";
import type { DeclaredMatch, FailureKind } from "./outcome.ts";
import type { NearMiss } from "./reason.ts";
import { keyOf, type TargetKey, targetOf } from "./target.ts";
import type { UnconsumedEntry, UseCount } from "./views.ts";

/** What the scenario of one test id and context came to. Source: the fakes sheet, section 8.3. */
export interface FakesReport {
  testId: string | null;
  context: string | null;
  /** No failure, not evicted, nothing left unused that had to be used. */
  ok: boolean;
  evicted: boolean;
  served: ({ entryId: string; mount: string } & AskedFor)[];
  /** Unused entries scoped to the test, without optional ones. */
  unconsumed: UnusedEntry[];
  /** Faults of the server scoped to the test that befell none of its requests, without optional ones. */
  unusedFaults: UnusedFault[];
  /**
   * Requests that no fake answered. `reason` is there on `invalid` ones: what their client was told; `nearMiss` where
   * nobody knows the target: the entry that came closest, when one came near.
   */
  unfaked: ({ mount: string; answeredBy: AnsweredBy; reason?: string; nearMiss?: NearMiss } & AskedFor)[];
  /** `nearMiss` is the entry that came closest, when one came near. */
  failures: ({ code: FakeFailureCode; mount: string; nearMiss?: NearMiss } & AskedFor)[];
  /** Requests that the wire refused before a fake saw them; these never fail a report. */
  refused: Refused[];
  /** Requests whose arguments are not what their tool or prompt declares; these never fail a report. */
  warnings: ({ mount: string; message: string } & Exclude<AskedFor, { resource: string }>)[];
  /** Unused entries of shared and context scopes; these never fail a report. */
  sharedUnconsumed: ({ entryId: string; mount: string } & TargetKey)[];
  /** Requests to models that no scripted turn answered, or that came too late. */
  modelFailures: ModelFailureReport[];
  /** Scripted turns scoped to the test that its agent never asked for, without optional ones. */
  unasked: { fixtureId: string; match: Json }[];
}

/**
 * A request that was refused for its session or its headers, or for a path that nothing serves (then mostly without a
 * target): `reason` is what its client was told.
 */
export type Refused = { path: string; status: number; reason: string } & (TargetKey | NoTarget);

type NoTarget = { tool?: undefined; resource?: undefined; prompt?: undefined };

/** What was asked for: a tool or a prompt with arguments, or a resource. */
export type AskedFor =
  | { tool: string; args: Json; resource?: undefined; prompt?: undefined }
  | { resource: string; args?: undefined; tool?: undefined; prompt?: undefined }
  | { prompt: string; args: Json; tool?: undefined; resource?: undefined };

/** A request to a model that went wrong; `message` says what came and which scripted turn came closest. */
export interface ModelFailureReport {
  outcome: ModelFailure;
  model: string;
  message: string;
}

/** An entry that a test left unused, and the file (or `code#1` and the like) that declares it. */
type UnusedEntry = { entryId: string; mount: string; file: string } & TargetKey & DeclaredMatch & UseCount;

/** Who answered a request that no fake did: `invalid` ones named no target properly. */
type AnsweredBy = "handler" | "upstream" | "empty" | "unknown-tool" | "unknown-resource" | "unknown-prompt" | "invalid";

/** A request with the identity that made it. */
interface IdentifiedFact {
  readonly testId: string | null;
  readonly context: string | null;
  readonly fact: Fact;
}

/** What a report is made of: the calls, and what the stores still hold for the identity. */
export interface ReportFacts {
  readonly identity: { readonly testId: string | null; readonly context: string | null };
  /** Runs of commands that nothing scripted answers. */
  readonly strayCommands: readonly { readonly command: string; readonly argv: readonly string[] }[];
  /** Requests of other identities are left out: both test id and context must be equal. */
  readonly facts: readonly IdentifiedFact[];
  readonly refused: readonly Refused[];
  readonly unconsumed: readonly UnconsumedEntry[];
  readonly unusedFaults: readonly (UnusedFault & Pick<UnconsumedEntry, "tier">)[];
  readonly modelFailures: readonly ModelFailureReport[];
  readonly unasked: FakesReport["unasked"];
  readonly evicted: boolean;
}

/** Draws up the report of one test id and context. */
export function reportOf({
  identity,
  facts,
  refused,
  unconsumed,
  unusedFaults,
  strayCommands,
  modelFailures,
  unasked,
  evicted,
}: ReportFacts): FakesReport {
  const { testId, context } = identity;
  const own = facts.flatMap((made) => (made.testId === testId && made.context === context ? made.fact : []));
  const due = unconsumed.filter(({ tier, optional }) => isOfTest(tier) && !optional).map(unusedEntry);
  const idle = unusedFaults.flatMap(({ tier, ...fault }) => (isOfTest(tier) ? fault : []));
  const failed = own.flatMap((fact) => {
    const { outcome, mount, nearMiss } = fact;
    if (!isFailure(outcome)) return [];
    return { code: FAILURE_CODES[outcome], mount, ...askedIn(fact), ...(nearMiss === undefined ? {} : { nearMiss }) };
  });
  const stray = strayCommands.map(({ command, argv }) => ({
    code: FAILURE_CODES.unexpected,
    mount: COMMAND_LINE,
    tool: command,
    args: { argv: [...argv] },
  }));
  const failures = [...failed, ...stray];
  return {
    testId,
    context,
    ok: [failures, due, idle, modelFailures, unasked].every((list) => list.length === 0) && !evicted,
    evicted,
    served: own.flatMap((fact) => {
      const { entryId, mount } = fact;
      return entryId === null ? [] : { entryId, mount, ...askedIn(fact) };
    }),
    unconsumed: due,
    unusedFaults: idle,
    unfaked: own.flatMap((fact) => {
      const { outcome, mount, error, nearMiss } = fact;
      if (outcome === "answered" || outcome === "verdict" || isFailure(outcome)) return [];
      const reason = outcome === "invalid" && error !== null ? { reason: error.message } : {};
      return { mount, ...askedIn(fact), answeredBy: ANSWERED_BY[outcome], ...reason, ...(nearMiss && { nearMiss }) };
    }),
    failures,
    refused: [...refused],
    warnings: own.flatMap((fact) => {
      if (fact.resource !== undefined) return [];
      const { mount, args, warnings = [] } = fact;
      const asked = fact.tool === undefined ? { prompt: fact.prompt, args } : { tool: fact.tool, args };
      return warnings.map((message) => ({ mount, ...asked, message }));
    }),
    sharedUnconsumed: unconsumed
      .filter(({ tier }) => !isOfTest(tier))
      .map((entry) => ({ entryId: entry.entryId, mount: entry.mount, ...keyOf(targetOf(entry)) })),
    modelFailures: [...modelFailures],
    unasked: [...unasked],
  };
}

/** What a report has in place of a mount for a command. */
const COMMAND_LINE = "command line";

const FAILURE_CODES: Readonly<Record<FailureKind, FakeFailureCode>> = {
  mismatch: "MCP_FAKE_MISMATCH",
  exhausted: "MCP_FAKE_EXHAUSTED",
  not_declared: "MCP_FAKE_NOT_DECLARED",
  evicted: "MCP_FAKE_EVICTED",
  internal_error: "MCP_FAKE_INTERNAL_ERROR",
  unexpected: "MCP_FAKE_UNEXPECTED",
  test_ended: "MCP_TEST_ENDED",
};

const ANSWERED_BY: Readonly<Record<Exclude<CallOutcome, FailureKind | "answered" | "verdict">, AnsweredBy>> = {
  handler: "handler",
  upstream: "upstream",
  empty: "empty",
  unknown_tool: "unknown-tool",
  unknown_resource: "unknown-resource",
  unknown_prompt: "unknown-prompt",
  invalid: "invalid",
};

/** What a fact says was asked for, without how it ended. */
function askedIn(fact: Fact): AskedFor {
  if (fact.resource !== undefined) return { resource: fact.resource };
  return fact.tool === undefined ? { prompt: fact.prompt, args: fact.args } : { tool: fact.tool, args: fact.args };
}

function isFailure(outcome: CallOutcome): outcome is FailureKind {
  return Object.hasOwn(FAILURE_CODES, outcome);
}

function isOfTest(tier: UnconsumedEntry["tier"]): boolean {
  return tier === "testId" || tier === "testId+context";
}

function unusedEntry(entry: UnconsumedEntry): UnusedEntry {
  const { tier: _tier, optional: _optional, source: file, ...rest } = entry;
  return { ...rest, file };
}
