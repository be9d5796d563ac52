import { answerOf, internalError, logLine, testEnded } from "../fakes/answer.ts";
import { type CallFact, type CallOutcome, type Outcome, toToolResult } from "../fakes/model.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import type { Caller, EndpointDependencies } from "./endpoint.ts";
import { type Answer, type Method, RPC, type RpcError, type RpcRequest, rpcError } from "./json-rpc.ts";

/** `tools/list` and `tools/call`: fakes first, then what code registered. */
export interface Tools {
  readonly methods: Record<string, Method<Caller>>;
  /** Runs a registered handler for a call that nobody waits for. */
  run(params: Json | undefined): void;
}

export function createTools({ registry, fakes, logger, hasEnded }: EndpointDependencies): Tools {
  /** Registered tools first, then the tools that only fakes declare; a registered definition wins whole. */
  function list(caller: Caller): Answer {
    const listed = [...registry.tools.values()].map((tool) => tool.definition);
    for (const tool of fakes.tools(caller.identity)) if (!registry.tools.has(tool.name)) listed.push({ ...tool });
    return { result: { tools: listed } };
  }

  function call({ params }: RpcRequest, caller: Caller): Answer | Promise<Answer> {
    const name = isJsonObject(params) ? params.name : undefined;
    if (typeof name !== "string") return invalidName(name, params, caller);
    const given = isJsonObject(params) ? params.arguments : undefined;
    const received = given === undefined ? {} : given;
    const at = { tool: name, args: received, caller };
    if (hasEnded(caller.identity.testId)) return refuse(at, "test_ended", testEnded({ ...caller, tool: name }).error);

    let outcome: Outcome;
    try {
      outcome = fakes.claim(name, given, caller.identity);
    } catch (error) {
      return refuse(at, "internal_error", internalError({ ...caller, tool: name, cause: error }).error);
    }
    if (outcome.kind === "unfaked") return answerRegistered(at);
    const answer = answerOf(outcome, { ...caller, tool: name });
    if ("error" in answer) return refuse(at, outcome.kind, answer.error);
    const entryId = outcome.kind === "answered" ? outcome.entry.id : null;
    return { ...answer, call: factOf(at, { outcome: "answered", entryId, result: answer.result }) };
  }

  /** A fake failure is said on the wire, in the log and in the journal: agents sometimes swallow errors. */
  function refuse(at: At, outcome: CallOutcome, error: RpcError): Answer {
    logger().error(logLine({ outcome, tool: at.tool, identity: at.caller.identity, mount: at.caller.mount, error }));
    return { error, call: factOf(at, { outcome, error }) };
  }

  function answerRegistered(at: At): Answer | Promise<Answer> {
    const tool = registry.tools.get(at.tool);
    if (tool === undefined) {
      const { error } = rpcError(RPC.invalidParams, `Unknown tool: ${at.tool}`);
      return { error, call: factOf(at, { outcome: "unknown_tool", error }) };
    }
    if (tool.handler === null) {
      const result = { content: [] };
      return { result, call: factOf(at, { outcome: "empty", result }) };
    }
    return runHandler(tool.handler, at.args).then((result) => ({
      result,
      call: factOf(at, { outcome: "handler", result }),
    }));
  }

  return {
    methods: { "tools/list": (_request, caller) => list(caller), "tools/call": call },
    run(params) {
      const name = isJsonObject(params) ? params.name : undefined;
      const handler = typeof name === "string" ? registry.tools.get(name)?.handler : undefined;
      if (handler && isJsonObject(params)) void runHandler(handler, params.arguments ?? {});
    },
  };
}

/** One call on its way: which tool, with what, from whom. */
interface At {
  readonly tool: string;
  readonly args: Json;
  readonly caller: Caller;
}

function factOf({ tool, args, caller }: At, ended: Pick<CallFact, "outcome"> & Partial<CallFact>): CallFact {
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
async function runHandler(handler: (args: unknown) => unknown, args: Json): Promise<JsonObject> {
  try {
    return toToolResult(await handler(args));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { content: [{ type: "text", text }], isError: true };
  }
}
