import { setTimeout } from "node:timers/promises";
import { type FakeError, failureOf, internalError, logLine, testEnded, wrongAnswer } from "../fakes/answer.ts";
import type { Fact } from "../fakes/fact.ts";
import type { Entry, EntryAnswer } from "../fakes/model.ts";
import type { FailureKind, Outcome } from "../fakes/outcome.ts";
import type { NearMiss } from "../fakes/reason.ts";
import type { Script } from "../fakes/script.ts";
import { errorResult } from "../fixtures/result.ts";
import { isJsonObject } from "../json.ts";
import { thrownText } from "../text.ts";
import { type Asked, argsOf, factOf, passOn } from "./asked.ts";
import { runHandler } from "./call/call-context.ts";
import { rpcErrorOf } from "./call/link.ts";
import type { EndpointDependencies } from "./endpoint.ts";
import { distort, isLosing } from "./faults.ts";
import { type Answer, RPC, rpcError, type SentAnswer } from "./json-rpc.ts";
import { playSteps } from "./steps.ts";

/** What answers for targets of one kind beside the fakes. */
export interface Beside {
  /** Answers before any fake does; `null` for nearly every request. */
  first(asked: Asked): Answer | null;
  /** Answers what no fake is declared for. */
  otherwise(asked: Asked, unknownTool: Script["unknownTool"]): Answer | Promise<Answer>;
}

/** Answers requests for targets of one kind: fakes first, the same way for tools, resources and prompts. */
export function createFaked(
  { fakes, logger, hasEnded, backend }: Pick<EndpointDependencies, "fakes" | "logger" | "hasEnded" | "backend">,
  { first, otherwise }: Beside,
): (asked: Asked) => Answer | Promise<Answer> {
  function answer(asked: Asked): Answer | Promise<Answer> {
    const { target, given, caller } = asked;
    if (hasEnded(caller.identity.testId)) return refuse(asked, "test_ended", { error: testEnded(placeOf(asked)) });
    const sooner = first(asked);
    if (sooner !== null) return sooner;

    let outcome: Outcome;
    try {
      outcome = resume(asked) ?? fakes.claim(target, given, caller.identity);
    } catch (error) {
      return refuse(asked, "internal_error", { error: internalError(error, placeOf(asked)) });
    }
    if (outcome.kind === "unfaked") return otherwise(asked, outcome.unknownTool);
    if (backend !== null && outcome.kind === "unexpected" && outcome.script.plan.mode === "passthrough") {
      return passOn(backend, asked);
    }
    if (outcome.kind !== "answered") {
      const nearest = fakes.nearest(target, given, caller.identity);
      const error = failureOf(outcome, placeOf(asked), nearest);
      const isSeen = outcome.kind === "unexpected" && isToolError(outcome.script);
      return refuse(asked, outcome.kind, { error, nearMiss: nearest?.miss, isSeen });
    }
    const { entry, answer } = outcome;
    const isAtOnce = entry.delayMs === 0 && entry.steps.length === 0;
    return isAtOnce && answer.kind !== "never" ? answerWith(asked, entry, answer) : answerLater(asked, entry, answer);
  }

  /** A call that comes back with the client's answers goes on with the entry that asked; it claims no other. */
  function resume({ request: { params }, given, caller }: Asked): Outcome | undefined {
    if (!isJsonObject(params) || params.requestState === undefined) return undefined;
    const entryId = caller.link().carried?.entryId;
    return typeof entryId === "string" ? fakes.resume(entryId, given) : undefined;
  }

  /** The wait, then the steps, then the answer. */
  async function answerLater(asked: Asked, entry: Entry, answer: EntryAnswer): Promise<Answer> {
    const { request, caller } = asked;
    const { identity } = caller;
    const link = caller.link();
    link.carry({ entryId: entry.id });
    // A wait that was given up, or had in an earlier round, is not had again.
    const isFirstTry = link.carried === null && !fakes.wasGivenBack(entry, identity);
    const ran = await runHandler(request, caller, async (context) => {
      if (entry.delayMs > 0 && isFirstTry) {
        await setTimeout(entry.delayMs, undefined, { signal: link.signal });
      }
      const wrong = await playSteps(entry, context, link);
      // What never answers ends with the call.
      return wrong === null && answer.kind === "never" ? new Promise<never>(() => {}) : wrong;
    });
    if (ran.kind === "interrupted") {
      const isOwed = "cancelled" in ran.answer && answer.kind !== "never";
      if (isOwed) fakes.giveBack(entry, identity);
      return interruptedBy(ran.answer, asked, entry);
    }
    if (ran.kind === "threw") return unasked(ran.error, asked, entry);
    if (ran.value === null && answer.kind !== "never") return answerWith(asked, entry, answer);
    if (ran.value === null) throw new Error("unreachable: what never answers does not return");
    return refuse(asked, "mismatch", { error: wrongAnswer(ran.value, placeOf(asked)) });
  }

  function answerWith(asked: Asked, entry: Entry, answer: Given): Answer {
    const { identity } = asked.caller;
    if (entry.fault === null) return deliver(asked, entry, answer);
    const { fault, passes } = entry.fault;
    const isPassing = passes && isLosing(fault);
    if (isPassing && fakes.wasGivenBack(entry, identity)) return deliver(asked, entry, answer);
    fakes.settle(entry, identity);
    if (isPassing) fakes.giveBack(entry, identity);
    const { fact, ...intended } = answerFor(asked, entry, answer);
    return distort(intended, fault, fact);
  }

  /** An answer that does not arrive was not given: the client that tries again gets it, not the next one. */
  function deliver(asked: Asked, entry: Entry, answer: Given): Answer {
    const { identity, onLost } = asked.caller;
    fakes.settle(entry, identity);
    onLost(() => fakes.giveBack(entry, identity));
    return answerFor(asked, entry, answer);
  }

  /** A fake failure is said on the wire, in the log and in the journal: agents sometimes swallow errors. */
  function refuse(asked: Asked, outcome: FailureKind, { error, nearMiss, isSeen = false }: RefusalFacts): Answer {
    logger().error(logLine(error, placeOf(asked)));
    const facts = { outcome, ...(nearMiss === undefined ? {} : { nearMiss }) };
    if (!isSeen) return { error, fact: factOf(asked, { ...facts, error }) };
    const result = errorResult(error.message);
    return { result, fact: factOf(asked, { ...facts, result }) };
  }

  return answer;
}

type Given = Exclude<EntryAnswer, { kind: "never" }>;

/** What is said of a request that a fake refused. */
interface RefusalFacts {
  readonly error: FakeError;
  readonly nearMiss?: NearMiss | undefined;
  /** Whether the refusal goes out as a tool error, which the model sees. */
  readonly isSeen?: boolean;
}

function placeOf({ target, caller: { identity, mount } }: Asked) {
  return { target, identity, mount };
}

function isToolError({ plan, unexpected, unknownTool }: Script): boolean {
  return (plan.mode === "passthrough" ? unknownTool : unexpected) === "tool-error";
}

function answerFor(asked: Asked, entry: Entry, answer: Given): SentAnswer & { readonly fact: Fact } {
  switch (answer.kind) {
    case "result": {
      const { result, text: resultText } = answer;
      return { result, resultText, fact: answeredFact(asked, entry, { result, error: null }) };
    }
    case "protocol-error": {
      const { error } = answer;
      return { error, fact: answeredFact(asked, entry, { result: null, error }) };
    }
  }
}

/** As {@link factOf}, without its spreads for tools: nearly every call makes one. */
function answeredFact(asked: Asked, entry: Entry, sent: Pick<Fact, "result" | "error">): Fact {
  const { target, caller } = asked;
  if (target.kind !== "tool" || entry.expectation !== null) return factOf(asked, { ...answered(entry), ...sent });
  const { result, error } = sent;
  return {
    tool: target.name,
    args: argsOf(asked),
    mount: caller.mount,
    outcome: "answered",
    entryId: entry.id,
    result,
    error,
  };
}

/** A request that ended before its answer: cancelled, or sent back to the client with a question (then it is not over). */
function interruptedBy(answer: Answer, asked: Asked, entry: Entry): Answer {
  return "cancelled" in answer ? { ...answer, fact: factOf(asked, answered(entry)) } : answer;
}

/** A request whose client could not be asked. Only tools have results that are errors. */
function unasked(thrown: unknown, asked: Asked, entry: Entry): Answer {
  const refused = rpcErrorOf(thrown);
  if (refused === null && asked.target.kind === "tool") {
    const result = errorResult(thrownText(thrown));
    return { result, fact: factOf(asked, { ...answered(entry), result }) };
  }
  const error = refused ?? rpcError(RPC.internalError, thrownText(thrown)).error;
  return { error, fact: factOf(asked, { ...answered(entry), error }) };
}

function answered({ id: entryId, expectation }: Entry): Pick<Fact, "outcome" | "entryId" | "expectation"> {
  return { outcome: "answered", entryId, ...(expectation && { expectation: expectation.index }) };
}
