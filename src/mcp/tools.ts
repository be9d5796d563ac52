import { showVerdict, type Verdict } from "../fakes/expectations.ts";
import type { EntryResult } from "../fakes/model.ts";
import type { Script } from "../fakes/script.ts";
import { toolTarget } from "../fakes/target.ts";
import { errorResult, readResult } from "../fixtures/result.ts";
import { argumentMisfits, limitsArguments } from "../fixtures/served.ts";
import { readInput } from "../input.ts";
import { isJsonObject, type Json } from "../json.ts";
import { showJson, thrownText } from "../text.ts";
import { type Asked, answeredBy, argsOf, factOf, passOn, unknown, warned } from "./asked.ts";
import { runHandler } from "./call/call-context.ts";
import type { Caller } from "./call/caller.ts";
import { rpcErrorOf } from "./call/link.ts";
import type { EndpointDependencies } from "./endpoint.ts";
import { createFaked } from "./faked.ts";
import { type Answer, type Method, RPC, type RpcRequest, rpcError } from "./json-rpc.ts";
import { listedTo } from "./offers.ts";
import { pageOf } from "./pages.ts";
import type { McpToolHandler } from "./registry.ts";

/** `tools/list` and `tools/call`: fakes first, then what code registered. */
export interface Tools {
  readonly methods: Record<string, Method<Caller>>;
  /** Runs a registered handler for a call that nobody waits for. */
  run(request: RpcRequest, caller: Caller): void;
}

export function createTools(dependencies: EndpointDependencies): Tools {
  const { profile, registry, fakes, backend, opened } = dependencies;
  const answerFaked = createFaked(dependencies, { first: answerVerdict, otherwise: answerRegistered });

  function list({ params }: RpcRequest, caller: Caller): Answer {
    const listed = listedTo(caller.identity, "tool", { known: registry.tools, fakes });
    return pageOf("tools", listed, { params, pageSize: profile.pageSize });
  }

  function call(request: RpcRequest, caller: Caller): Answer | Promise<Answer> {
    const { params } = request;
    const name = isJsonObject(params) ? params.name : undefined;
    const given = isJsonObject(params) ? params.arguments : undefined;
    const asked = { request, target: toolTarget(typeof name === "string" ? name : ""), given, caller };
    if (typeof name !== "string") return invalidName(name, asked);
    const misfits = misfitsOf(asked);
    const answer = answerFaked(asked);
    return noted(asked, misfits.length === 0 ? answer : warned(answer, misfits, fakes));
  }

  /** In which ways the arguments break the protocol, or the schema that the client was told, where it was told one. */
  function misfitsOf({ target, given, caller }: Asked): readonly string[] {
    if (given !== undefined && !isJsonObject(given)) return [`args must be a JSON object, got ${showJson(given)}`];
    const tool = registry.tools.get(target.name)?.definition ?? fakes.limiting(target.name, caller.identity);
    return tool === undefined || !limitsArguments(tool)
      ? NONE
      : argumentMisfits(tool, given === undefined ? {} : given);
  }

  /** A call that takes its time may outlive its test. */
  function noted(asked: Asked, answer: Answer | Promise<Answer>): Answer | Promise<Answer> {
    const { target, caller } = asked;
    const { testId } = caller.identity;
    if (testId === null || !(answer instanceof Promise)) return answer;
    const { mount, client } = caller;
    return answer.finally(opened({ mount, tool: target.name, args: argsOf(asked), client, testId }));
  }

  function answerVerdict(asked: Asked): Answer | null {
    const verdict = fakes.finalize(asked.target.name, asked.caller.identity);
    return verdict && answeredBy("verdict", { result: verdictResult(verdict) }, asked);
  }

  function answerRegistered(asked: Asked, unknownTool: Script["unknownTool"]): Answer | Promise<Answer> {
    const { name } = asked.target;
    const tool = registry.tools.get(name);
    if (tool !== undefined) {
      return tool.handler === null
        ? answeredBy("empty", { result: { content: [] } }, asked)
        : runTool(tool.handler, asked);
    }
    if (backend !== null) return passOn(backend, asked);
    const text = `Unknown tool: ${name}`;
    const answer = unknownTool === "tool-error" ? { result: errorResult(text) } : rpcError(RPC.invalidParams, text);
    return unknown("unknown_tool", answer, { asked, fakes });
  }

  return {
    methods: { "tools/list": list, "tools/call": call },
    run(request, caller) {
      const { params } = request;
      const name = isJsonObject(params) ? params.name : undefined;
      const handler = typeof name === "string" ? registry.tools.get(name)?.handler : undefined;
      if (!handler || !isJsonObject(params) || typeof name !== "string") return;
      void runTool(handler, { request, target: toolTarget(name), given: params.arguments, caller });
    },
  };
}

const NONE: readonly string[] = [];

function verdictResult(verdict: Verdict): EntryResult {
  return {
    content: [{ type: "text", text: showVerdict(verdict) }],
    structuredContent: verdict,
    isError: !verdict.met,
  };
}

function invalidName(name: Json | undefined, asked: Asked): Answer {
  const why = name === undefined ? "Missing tool name" : `Invalid tool name: expected a string, got ${kindOf(name)}`;
  return answeredBy("invalid", rpcError(RPC.invalidParams, why), asked);
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** What a handler returns takes the forms of a fake's result; what it throws is a tool error that the model sees. */
async function runTool(handler: McpToolHandler<Json>, asked: Asked): Promise<Answer> {
  const ran = await runHandler(asked.request, asked.caller, (context) => handler(argsOf(asked), context));
  if (ran.kind === "interrupted") {
    return "cancelled" in ran.answer ? { ...ran.answer, fact: factOf(asked, { outcome: "handler" }) } : ran.answer;
  }
  if (ran.kind === "returned") return answeredBy("handler", { result: resultOf(ran.value) }, asked);
  const error = rpcErrorOf(ran.error);
  return answeredBy("handler", error === null ? { result: errorResult(thrownText(ran.error)) } : { error }, asked);
}

function resultOf(returned: unknown): EntryResult {
  if (returned === undefined) return { content: [] };
  const isSimple = typeof returned === "number" || typeof returned === "boolean" || returned === null;
  const result = readResult(readInput(isSimple ? String(returned) : returned));
  return "value" in result ? result.value : errorResult(`the handler's answer cannot be sent: ${result.problem}`);
}
