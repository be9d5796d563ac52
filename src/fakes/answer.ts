import { type FakeFailureCode, MCP_FAKE_ERROR_CODES, OTHER_FAKE_ERROR_CODES } from "../errors.ts";
import type { Identity } from "../identity.ts";
import type { Json, JsonObject } from "../json.ts";
import { showJson, showName, showPlain, thrownText } from "../text.ts";
import type { Entry } from "./model.ts";
import type { Nearest } from "./near-miss.ts";
import type { DeclaredMatch, Outcome, UnexpectedCall } from "./outcome.ts";
import { METHODS, type Target, VERBS } from "./target.ts";
import { who } from "./who.ts";

/** The request that is answered. */
export interface CallPlace {
  readonly target: Target;
  readonly identity: Identity;
  /** The path that the mock is served at. */
  readonly mount: string;
}

/** A JSON-RPC error of a request for a target. Its `data.aimock` is what test code should look at. */
export interface FakeError {
  code: number;
  message: string;
  data: {
    aimock: FakeErrorData;
    /** The entry that came closest, where the scenario says more than the seed's keys can. */
    nearMiss?: JsonObject;
  };
}

/** Members that every code has (the target under its kind is one) come first, then those of the code. */
interface FakeErrorData {
  [key: string]: Json;
  code: FakeFailureCode;
  testId: string | null;
  context: string | null;
  mount: string;
}

/** The outcomes that a fake refuses a call with. */
export type Refusal = Exclude<Outcome, { kind: "answered" | "unfaked" }>;

/**
 * What a call gets when its claim failed. A wrong scenario is a protocol error, so that no agent can read it,
 * recover and pass. Source: the fakes seed, "Errors", and the fakes sheet, section 5.1.
 */
export function failureOf(outcome: Refusal, place: CallPlace, nearest: Nearest | null = null): FakeError {
  const error = refusalError(outcome, place);
  // A scenario in the seed's keys alone gets the seed's error, which tells as much, to the byte.
  if (nearest === null || isPlain(nearest.entry)) return error;
  const { entry, miss } = nearest;
  const reasons = miss.reasons.map((reason) => ({ ...reason }));
  const nearMiss = { entryId: entry.id, [entry.target.kind]: entry.target.name, reasons };
  return { ...error, data: { ...error.data, nearMiss } };
}

function isPlain({ match, uses }: Entry): boolean {
  return match.kind !== "when" && uses.min <= 1 && uses.max === 1;
}

function refusalError(outcome: Refusal, place: CallPlace): FakeError {
  switch (outcome.kind) {
    case "mismatch":
      return mismatch(outcome, place);
    case "exhausted":
      return exhausted(outcome, place);
    case "not_declared": {
      const reason = `aimock MCP fake not declared: this scenario denies undeclared tools; ${who(place.identity)}`;
      return failure("MCP_FAKE_NOT_DECLARED", place, {
        message: `Unknown tool: ${showPlain(place.target.name)} (${reason}).`,
        data: { declaredTools: [...outcome.declaredTools] },
      });
    }
    case "unexpected": {
      const { reason, received, expected } = outcome;
      return failure("MCP_FAKE_UNEXPECTED", place, {
        message: unexpectedText(outcome, place),
        data: { received, reason, expected: [...expected] },
      });
    }
    case "evicted": {
      const { cap } = outcome;
      const testId = showName(place.identity.testId ?? "");
      const reason = `consumption state for testId ${testId} was evicted by the per-mount test-id cap (${cap})`;
      return failure("MCP_FAKE_EVICTED", place, {
        message: `aimock MCP fake evicted: ${reason}; reset before reusing this test id (${who(place.identity)}).`,
        data: { cap },
      });
    }
  }
}

/** The answer to a call that broke while it was answered; its entry stays unused. */
export function internalError(cause: unknown, place: CallPlace): FakeError {
  const text = thrownText(cause);
  const what = `${showTarget(place)} could not be answered (${who(place.identity)})`;
  return failure("MCP_FAKE_INTERNAL_ERROR", place, {
    message: `aimock MCP fake internal error: ${what}: ${showPlain(text)}`,
    data: { error: text },
  });
}

/** The answer to a call whose client answered a scripted question otherwise than the scenario says. */
export function wrongAnswer(
  { entryId, question, expected, received, difference: firstDifference }: WrongAnswer,
  place: CallPlace,
): FakeError {
  const asked = `${showTarget(place)} asked the client (${question} of ${showPlain(entryId)}) and got an answer that the scenario does not expect`;
  return failure("MCP_FAKE_MISMATCH", place, {
    message: `aimock MCP fake mismatch: ${asked} (${who(place.identity)}): ${firstDifference}.`,
    data: { entryId, question, expected, received, firstDifference },
  });
}

/** A client's answer that differs from the `expect` of its step. */
export interface WrongAnswer {
  readonly entryId: string;
  /** The kind of question, e.g. `elicit`. */
  readonly question: string;
  readonly expected: JsonObject;
  readonly received: JsonObject;
  /** The first way in which they differ, with its path. */
  readonly difference: string;
}

/** The answer to a call of a test that has ended: nothing it gets could be seen by the test any more. */
export function testEnded(place: CallPlace): FakeError {
  const what = `${showTarget(place)} was ${VERBS[place.target.kind]} after its test had ended (${who(place.identity)})`;
  return failure("MCP_TEST_ENDED", place, {
    message: `aimock MCP test ended: ${what}. Await everything that the agent does before the test returns.`,
    data: {},
  });
}

/** The line that is logged at error level for a failure, so that an agent which swallows errors hides nothing. */
export function logLine({ message, data: { aimock } }: FakeError, { target, identity, mount: at }: CallPlace): string {
  const call = `${METHODS[target.kind]} ${showPlain(target.name)}`;
  const mount = showPlain(at);
  if (aimock.code === "MCP_FAKE_EVICTED") {
    return `MCP-FAKE: evicted testId ${showName(identity.testId ?? "")} (cap ${aimock.cap}) for ${call} (mount ${mount})`;
  }
  return `MCP-FAKE: ${WORDS[aimock.code]} for ${call} (${who(identity)}, mount ${mount}): ${message}`;
}

const WORDS: Readonly<Record<FakeFailureCode, string>> = {
  MCP_FAKE_MISMATCH: "mismatch",
  MCP_FAKE_EXHAUSTED: "exhausted",
  MCP_FAKE_NOT_DECLARED: "not declared",
  MCP_FAKE_EVICTED: "evicted",
  MCP_FAKE_INTERNAL_ERROR: "internal error",
  MCP_FAKE_UNEXPECTED: "unexpected call",
  MCP_TEST_ENDED: "test ended",
};

/** How many declared entries the text of a mismatch names; its data holds all. */
const DECLARED_SHOWN = 20;

function mismatch(outcome: Extract<Outcome, { kind: "mismatch" }>, place: CallPlace): FakeError {
  const { received, declared, firstDifference } = outcome;
  const called = `${showTarget(place)} was ${VERBS[place.target.kind]} with arguments that match no declared fake`;
  const shown = declared.slice(0, DECLARED_SHOWN).map((entry) => `${showPlain(entry.id)} ${showDeclared(entry)}`);
  const more = declared.length - shown.length;
  const list = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
  return failure("MCP_FAKE_MISMATCH", place, {
    message: `aimock MCP fake mismatch: ${called} (${who(place.identity)}). Received ${showJson(received)}. Declared: ${list}.`,
    data: { received, declared: declared.map((entry) => ({ ...entry })), firstDifference },
  });
}

/** In passthrough mode a call that nothing takes is one of a tool that is not there. Source: scripting sheet, 2. */
function unexpectedText(
  { received, reason, expected, script }: UnexpectedCall,
  { target, identity }: CallPlace,
): string {
  const tool = showPlain(target.name);
  const called = `${tool} ${showJson(received)}`;
  if (script.plan.mode === "passthrough") return `Unknown tool: ${tool} (${reason}: ${called}; ${who(identity)}).`;
  const next = expected.length === 0 ? "Nothing more is expected." : `Expected next: ${expected.join("; ")}.`;
  return `Unexpected call: ${called}: ${reason} (${who(identity)}). ${next}`;
}

function showTarget({ target: { kind, name } }: CallPlace): string {
  return `${kind} ${showName(name)}`;
}

function showDeclared(entry: DeclaredMatch): string {
  if ("args" in entry) return showJson(entry.args);
  return "when" in entry ? showJson(entry.when) : "any arguments";
}

function exhausted(outcome: Extract<Outcome, { kind: "exhausted" }>, place: CallPlace): FakeError {
  const { received, matching } = outcome;
  const count = matching.length;
  const { kind } = place.target;
  // What is read has no arguments.
  const given = kind === "resource" ? "" : ` with ${showJson(received)}`;
  const called = `${showTarget(place)}${given} was ${VERBS[kind]} again`;
  const used = count === 1 ? "the 1 matching fake is already used" : `all ${count} matching fakes are already used`;
  return failure("MCP_FAKE_EXHAUSTED", place, {
    message: `aimock MCP fake exhausted: ${called}, but ${used} (${who(place.identity)}).`,
    data: { received, matchingDeclared: count, matchingConsumed: count, matchingIds: [...matching] },
  });
}

function failure(
  code: FakeFailureCode,
  { target, identity: { testId, context }, mount }: CallPlace,
  { message, data }: { message: string; data: JsonObject },
): FakeError {
  const rpcCode = { ...MCP_FAKE_ERROR_CODES, ...OTHER_FAKE_ERROR_CODES }[code];
  return {
    code: rpcCode,
    message,
    data: { aimock: { code, [target.kind]: target.name, testId, context, mount, ...data } },
  };
}
