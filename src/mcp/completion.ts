import type { FakeStore } from "../fakes/store.ts";
import type { Identity } from "../identity.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { runHandler } from "./call/call-context.ts";
import type { Caller } from "./call/caller.ts";
import { type Answer, type Method, RPC, type RpcRequest, rpcError } from "./json-rpc.ts";
import { offeredTo } from "./offers.ts";
import type { McpCompletionHandler, Registry } from "./registry.ts";

/** Most values in one answer (MCP, Completion). */
const VALUES_MAX = 100;

/** `completion/complete` from what code registered; what is listed and nobody completes has no values. */
export function completionMethods(
  registry: Registry,
  fakes: Pick<FakeStore, "offers" | "listed">,
): Record<string, Method<Caller>> {
  function isKnown({ type, name }: { type: "ref/prompt" | "ref/resource"; name: string }, identity: Identity): boolean {
    const { prompts, templates } = offeredTo(identity, registry, fakes);
    if (type === "ref/resource") return templates.has(name);
    return prompts.has(name) || fakes.listed("prompt", identity).has(name);
  }

  return {
    "completion/complete": (request, caller) => {
      const { params } = request;
      const ref = isJsonObject(params) ? readRef(params.ref) : undefined;
      const argument = isJsonObject(params) && isJsonObject(params.argument) ? params.argument : {};
      if (ref === undefined)
        return invalid('ref must be { type: "ref/prompt", name } or { type: "ref/resource", uri }');
      if (typeof argument.name !== "string" || typeof argument.value !== "string") {
        return invalid("argument must have a name and a value, both strings");
      }
      if (!isKnown(ref, caller.identity)) return invalid(`nothing is registered as ${JSON.stringify(ref.name)}`);
      const completer = registry.completers.get(`${ref.type} ${ref.name}`);
      if (completer === undefined) return toAnswer([]);
      return complete(completer, { name: argument.name, value: argument.value }, { request, caller });
    },
  };
}

function readRef(ref: Json | undefined): { type: "ref/prompt" | "ref/resource"; name: string } | undefined {
  if (!isJsonObject(ref)) return undefined;
  if (ref.type === "ref/prompt" && typeof ref.name === "string") return { type: ref.type, name: ref.name };
  if (ref.type === "ref/resource" && typeof ref.uri === "string") return { type: ref.type, name: ref.uri };
  return undefined;
}

async function complete(
  completer: McpCompletionHandler,
  argument: { name: string; value: string },
  { request, caller }: { request: RpcRequest; caller: Caller },
): Promise<Answer> {
  const ran = await runHandler(request, caller, (context) => completer(argument, context));
  switch (ran.kind) {
    case "interrupted":
      return ran.answer;
    case "threw":
      return rpcError(RPC.internalError, `The completion of ${argument.name} failed: ${textOf(ran.error)}`);
    case "returned":
      return toAnswer(ran.value);
  }
}

/** A list of values, or a whole `completion` object of the handler's own. */
function toAnswer(value: unknown): Answer {
  if (!Array.isArray(value)) return { result: { completion: JSON.parse(JSON.stringify(value)) as JsonObject } }; // the handler's type says so
  const values = value.map(String);
  const more = values.length > VALUES_MAX;
  return { result: { completion: { values: values.slice(0, VALUES_MAX), total: values.length, hasMore: more } } };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function invalid(why: string): Answer {
  return rpcError(RPC.invalidParams, `Invalid params: ${why}`);
}
