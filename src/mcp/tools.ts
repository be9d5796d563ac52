import { setTimeout } from "node:timers/promises";
import { type FakeError, failureOf, internalError, logLine, testEnded, wrongAnswer } from "../fakes/answer.ts";
import { showVerdict, type Verdict } from "../fakes/expectations.ts";
import type { CallFact } from "../fakes/fact.ts";
import type { Entry, EntryAnswer, ToolResult } from "../fakes/model.ts";
import type { FailureKind, Outcome } from "../fakes/outcome.ts";
import type { NearMiss } from "../fakes/reason.ts";
import type { Script } from "../fakes/script.ts";
import { errorResult, readResult } from "../fixtures/result.ts";
import { readInput } from "../input.ts";
import { isJsonObject, type Json } from "../json.ts";
import { askBackend, type Backend } from "./backend.ts";
import { runHandler } from "./call/call-context.ts";
import type { Caller } from "./call/caller.ts";
import { rpcErrorOf } from "./call/link.ts";
import type { EndpointDependencies } from "./endpoint.ts";
import { distort, isLosing } from "./faults.ts";
import { type Answer, type Method, RPC, type RpcRequest, rpcError, type SentAnswer } from "./json-rpc.ts";
import { pageOf } from "./pages.ts";
import type { McpToolHandler } from "./registry.ts";
import { playSteps } from "./steps.ts";

/** `tools/list` and `tools/call`: fakes first, then what code registered. */
export interface Tools {
  readonly methods: Record<string, Method<Caller>>;
  /** Runs a registered handler for a call that nobody waits for. */
  run(request: RpcRequest, caller: Caller): void;
}

export function createTools({ profile, registry, fakes, logger, hasEnded, backend }: EndpointDependencies): Tools {
  /** Registered tools first, then the tools that only fakes declare; a registered definition wins whole. */
  function list({ params }: RpcRequest, caller: Caller): Answer {
    const listed = [...registry.tools.values()].map((tool) => tool.definition);
    for (const tool of fakes.tools(caller.identity)) if (!registry.tools.has(tool.name)) listed.push({ ...tool });
    return pageOf("tools", listed, { params, pageSize: profile.pageSize });
  }

  function call(request: RpcRequest, caller: Caller): Answer | Promise<Answer> {
    const { params } = request;
    const name = isJsonObject(params) ? params.name : undefined;
    if (typeof name !== "string") return invalidName(name, params, caller);
    const given = isJsonObject(params) ? params.arguments : undefined;
    const received = given === undefined ? {} : given;
    const at = { request, tool: name, args: received, caller };
    if (hasEnded(caller.identity.testId))
      return refuse(at, "test_ended", { error: testEnded({ ...caller, tool: name }) });

    const verdict = fakes.finalize(name, caller.identity);
    if (verdict !== null) return answerVerdict(at, verdict);

    let outcome: Outcome;
    try {
      outcome = resume(request, caller) ?? fakes.claim(name, given, caller.identity);
    } catch (error) {
      return refuse(at, "internal_error", { error: internalError(error, { ...caller, tool: name }) });
    }
    if (outcome.kind === "unfaked") return answerRegistered(at, outcome.unknownTool);
    if (backend !== null && outcome.kind === "unexpected" && outcome.script.plan.mode === "passthrough") {
      return passOn(backend, at);
    }
    if (outcome.kind !== "answered") {
      const nearest = fakes.nearest(name, given, caller.identity);
      const error = failureOf(outcome, { ...caller, tool: name }, nearest);
      const isSeen = outcome.kind === "unexpected" && isToolError(outcome.script);
      return refuse(at, outcome.kind, { error, nearMiss: nearest?.miss, isSeen });
    }
    const { entry, answer } = outcome;
    const isAtOnce = entry.delayMs === 0 && entry.steps.length === 0;
    return isAtOnce && answer.kind !== "never" ? answerWith(at, entry, answer) : answerLater(at, entry, answer);
  }

  /** A call that comes back with the client's answers goes on with the entry that asked; it claims no other. */
  function resume({ params }: RpcRequest, caller: Caller): Outcome | undefined {
    if (!isJsonObject(params) || params.requestState === undefined) return undefined;
    const entryId = caller.link().carried?.entryId;
    return typeof entryId === "string" ? fakes.resume(entryId, params.arguments) : undefined;
  }

  /** The wait, then the steps, then the answer. */
  async function answerLater(at: At, entry: Entry, answer: EntryAnswer): Promise<Answer> {
    const { identity } = at.caller;
    const link = at.caller.link();
    link.carry({ entryId: entry.id });
    // A wait that was given up, or had in an earlier round, is not had again.
    const isFirstTry = link.carried === null && !fakes.wasGivenBack(entry, identity);
    const ran = await runHandler(at.request, at.caller, async (context) => {
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
      return interruptedBy(ran.answer, at, entry);
    }
    if (ran.kind === "threw") return unasked(ran.error, at, entry);
    if (ran.value === null && answer.kind !== "never") return answerWith(at, entry, answer);
    if (ran.value === null) throw new Error("unreachable: what never answers does not return");
    return refuse(at, "mismatch", { error: wrongAnswer(ran.value, { ...at.caller, tool: at.tool }) });
  }

  function answerWith(at: At, entry: Entry, answer: Exclude<EntryAnswer, { kind: "never" }>): Answer {
    const { identity } = at.caller;
    if (entry.fault === null) return deliver(at, entry, answer);
    const { fault, passes } = entry.fault;
    const isPassing = passes && isLosing(fault);
    if (isPassing && fakes.wasGivenBack(entry, identity)) return deliver(at, entry, answer);
    fakes.settle(entry, identity);
    if (isPassing) fakes.giveBack(entry, identity);
    const { call, ...intended } = answerFor(at, entry, answer);
    return distort(intended, fault, call);
  }

  /** An answer that does not arrive was not given: the client that tries again gets it, not the next one. */
  function deliver(at: At, entry: Entry, answer: Exclude<EntryAnswer, { kind: "never" }>): Answer {
    const { identity, onLost } = at.caller;
    fakes.settle(entry, identity);
    onLost(() => fakes.giveBack(entry, identity));
    return answerFor(at, entry, answer);
  }

  /** A fake failure is said on the wire, in the log and in the journal: agents sometimes swallow errors. */
  function refuse(at: At, outcome: FailureKind, { error, nearMiss, isSeen = false }: RefusalFacts): Answer {
    logger().error(logLine(error));
    const facts = { outcome, ...(nearMiss === undefined ? {} : { nearMiss }) };
    if (!isSeen) return { error, call: factOf(at, { ...facts, error }) };
    const result = errorResult(error.message);
    return { result, call: factOf(at, { ...facts, result }) };
  }

  function answerVerdict(at: At, verdict: Verdict): Answer {
    const result = {
      content: [{ type: "text", text: showVerdict(verdict) }],
      structuredContent: verdict,
      isError: !verdict.met,
    };
    return { result, call: factOf(at, { outcome: "verdict", result }) };
  }

  function answerRegistered(at: At, unknownTool: Script["unknownTool"]): Answer | Promise<Answer> {
    const tool = registry.tools.get(at.tool);
    if (tool === undefined && backend !== null) return passOn(backend, at);
    if (tool === undefined && unknownTool === "tool-error") {
      const result = errorResult(`Unknown tool: ${at.tool}`);
      return { result, call: factOf(at, { outcome: "unknown_tool", result }) };
    }
    if (tool === undefined) {
      const { error } = rpcError(RPC.invalidParams, `Unknown tool: ${at.tool}`);
      return { error, call: factOf(at, { outcome: "unknown_tool", error }) };
    }
    if (tool.handler === null) {
      const result = { content: [] };
      return { result, call: factOf(at, { outcome: "empty", result }) };
    }
    return runTool(tool.handler, at);
  }

  return {
    methods: { "tools/list": list, "tools/call": call },
    run(request, caller) {
      const { params } = request;
      const name = isJsonObject(params) ? params.name : undefined;
      const handler = typeof name === "string" ? registry.tools.get(name)?.handler : undefined;
      if (!handler || !isJsonObject(params) || typeof name !== "string") return;
      void runTool(handler, { request, tool: name, args: params.arguments ?? {}, caller });
    },
  };
}

/** The call goes to what stands behind the mock. */
async function passOn(backend: Backend, at: At): Promise<Answer> {
  const answer = await askBackend(backend, at.request, at.caller);
  if ("cancelled" in answer) return { ...answer, call: factOf(at, { outcome: "upstream" }) };
  const { call: _call, ...sent } = answer;
  const facts = "error" in sent ? { error: sent.error } : { result: sent.result };
  return { ...sent, call: factOf(at, { outcome: "upstream", ...facts }) };
}

/** One call on its way: which tool, with what, from whom. */
interface At {
  readonly request: RpcRequest;
  readonly tool: string;
  readonly args: Json;
  readonly caller: Caller;
}

/** What is said of a call that a fake refused. */
interface RefusalFacts {
  readonly error: FakeError;
  readonly nearMiss?: NearMiss | undefined;
  /** Whether the refusal goes out as a tool error, which the model sees. */
  readonly isSeen?: boolean;
}

function isToolError({ plan, unexpected, unknownTool }: Script): boolean {
  return (plan.mode === "passthrough" ? unknownTool : unexpected) === "tool-error";
}

function answerFor(
  at: At,
  entry: Entry,
  answer: Exclude<EntryAnswer, { kind: "never" }>,
): SentAnswer & { readonly call: CallFact } {
  switch (answer.kind) {
    case "result": {
      const { result, text: resultText } = answer;
      return { result, resultText, call: answeredFact(at, entry, { result, error: null }) };
    }
    case "protocol-error": {
      const { error } = answer;
      return { error, call: answeredFact(at, entry, { result: null, error }) };
    }
  }
}

/** As {@link factOf}, without its spreads: every answered call makes one. */
function answeredFact(
  { tool, args, caller: { mount } }: At,
  { id: entryId, expectation }: Entry,
  { result, error }: Pick<CallFact, "result" | "error">,
): CallFact {
  const fact: CallFact = { tool, args, mount, outcome: "answered", entryId, result, error };
  return expectation === null ? fact : { ...fact, expectation: expectation.index };
}

/** A call that ended before its answer: cancelled, or sent back to the client with a question (then it is not over). */
function interruptedBy(answer: Answer, at: At, entry: Entry): Answer {
  return "cancelled" in answer ? { ...answer, call: factOf(at, answeredBy(entry)) } : answer;
}

/** A call whose client could not be asked. */
function unasked(thrown: unknown, at: At, entry: Entry): Answer {
  const error = rpcErrorOf(thrown);
  if (error !== null) return { error, call: factOf(at, { ...answeredBy(entry), error }) };
  const result = errorResult(textOf(thrown));
  return { result, call: factOf(at, { ...answeredBy(entry), result }) };
}

function answeredBy({ id: entryId, expectation }: Entry): Pick<CallFact, "outcome" | "entryId" | "expectation"> {
  return { outcome: "answered", entryId, ...(expectation && { expectation: expectation.index }) };
}

function factOf(
  { tool, args, caller }: Omit<At, "request">,
  ended: Pick<CallFact, "outcome"> & Partial<CallFact>,
): CallFact {
  return { tool, args, mount: caller.mount, entryId: null, result: null, error: null, ...ended };
}

function invalidName(name: Json | undefined, params: Json | undefined, caller: Caller): Answer {
  const why = name === undefined ? "Missing tool name" : `Invalid tool name: expected a string, got ${kindOf(name)}`;
  const { error } = rpcError(RPC.invalidParams, why);
  const args = isJsonObject(params) ? (params.arguments ?? {}) : {};
  return { error, call: factOf({ tool: "", args, caller }, { outcome: "invalid", error }) };
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** What a handler returns takes the forms of a fake's result; what it throws is a tool error that the model sees. */
async function runTool(handler: McpToolHandler<Json>, at: At): Promise<Answer> {
  const ran = await runHandler(at.request, at.caller, (context) => handler(at.args, context));
  if (ran.kind === "interrupted") {
    return "cancelled" in ran.answer ? { ...ran.answer, call: factOf(at, { outcome: "handler" }) } : ran.answer;
  }
  const error = ran.kind === "threw" ? rpcErrorOf(ran.error) : null;
  if (error !== null) return { error, call: factOf(at, { outcome: "handler", error }) };
  const result = ran.kind === "threw" ? errorResult(textOf(ran.error)) : resultOf(ran.value);
  return { result, call: factOf(at, { outcome: "handler", result }) };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function resultOf(returned: unknown): ToolResult {
  if (returned === undefined) return { content: [] };
  const isSimple = typeof returned === "number" || typeof returned === "boolean" || returned === null;
  const result = readResult(readInput(isSimple ? String(returned) : returned));
  return "value" in result ? result.value : errorResult(`the handler's answer cannot be sent: ${result.problem}`);
}
