import { promptMisfits } from "../fixtures/prompt.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { type Asked, answeredBy, passOn, unknown, warned } from "./asked.ts";
import { runHandler } from "./call/call-context.ts";
import type { Caller } from "./call/caller.ts";
import { rpcErrorOf } from "./call/link.ts";
import type { EndpointDependencies } from "./endpoint.ts";
import { createFaked } from "./faked.ts";
import { type Answer, type Method, RPC, type RpcRequest, rpcError } from "./json-rpc.ts";
import { listedTo, offeredTo } from "./offers.ts";
import { pageOf } from "./pages.ts";
import type { McpPromptHandler, McpPromptResult, RegisteredPrompt } from "./registry.ts";

/** `prompts/*`: fakes first, then what code registered and files offer. */
export function promptMethods(dependencies: EndpointDependencies): Record<string, Method<Caller>> {
  const { registry, fakes, backend, profile } = dependencies;
  const { pageSize } = profile;
  const offered = ({ identity }: Caller) => offeredTo(identity, registry, fakes).prompts;
  const answerFaked = createFaked(dependencies, { first: () => null, otherwise: answerOffered });

  function answerOffered(asked: Asked): Answer | Promise<Answer> {
    const { name } = asked.target;
    const prompt = offered(asked.caller).get(name);
    if (prompt === undefined) {
      if (backend !== null) return passOn(backend, asked);
      return unknown("unknown_prompt", rpcError(RPC.invalidParams, `Unknown prompt: ${name}`), { asked, fakes });
    }
    const args = readArguments(prompt, asked.given);
    if ("error" in args) return answeredBy("handler", args, asked);
    return prompt.handler === null
      ? answeredBy("empty", { result: { messages: [] } }, asked)
      : render(prompt.handler, args.values, asked);
  }

  /** In which ways the arguments are not those that the client was told of. */
  function misfitsOf({ target, given, caller }: Asked): readonly string[] {
    const prompt = offered(caller).get(target.name)?.definition ?? fakes.definition(target, caller.identity);
    return prompt === undefined ? [] : promptMisfits(prompt, isJsonObject(given) ? given : {});
  }

  return {
    "prompts/list": ({ params }, caller) => {
      const listed = listedTo(caller.identity, "prompt", { known: offered(caller), fakes });
      return pageOf("prompts", listed, { params, pageSize });
    },
    "prompts/get": (request: RpcRequest, caller) => {
      const { params } = request;
      const given = isJsonObject(params) ? params : {};
      const name = typeof given.name === "string" ? given.name : "";
      const asked: Asked = { request, target: { kind: "prompt", name }, given: given.arguments, caller };
      if (typeof given.name !== "string")
        return answeredBy("invalid", rpcError(RPC.invalidParams, "Missing prompt name"), asked);
      const misfits = misfitsOf(asked);
      const answer = answerFaked(asked);
      return misfits.length === 0 ? answer : warned(answer, misfits, fakes);
    },
  };
}

/** Prompt arguments are strings (MCP schema, GetPromptRequest); a required one that is missing is invalid. */
function readArguments(
  { name, required }: RegisteredPrompt,
  given: Json | undefined,
): { readonly values: Record<string, string> } | ReturnType<typeof rpcError> {
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(isJsonObject(given) ? given : {})) {
    if (typeof value !== "string") {
      return rpcError(
        RPC.invalidParams,
        `Prompt ${name}: argument ${key} must be a string, got ${JSON.stringify(value)}`,
      );
    }
    values[key] = value;
  }
  const missing = required.filter((key) => !Object.hasOwn(values, key));
  if (missing.length === 0) return { values };
  return rpcError(RPC.invalidParams, `Prompt ${name}: missing required argument ${missing.join(", ")}`);
}

async function render(handler: McpPromptHandler, args: Record<string, string>, asked: Asked): Promise<Answer> {
  const ran = await runHandler(asked.request, asked.caller, async (context) => toResult(await handler(args, context)));
  switch (ran.kind) {
    case "interrupted":
      return "cancelled" in ran.answer ? answeredBy("handler", ran.answer, asked) : ran.answer;
    case "threw": {
      const why = ran.error instanceof Error ? ran.error.message : String(ran.error);
      const error = rpcErrorOf(ran.error) ?? rpcError(RPC.internalError, `The prompt's handler failed: ${why}`).error;
      return answeredBy("handler", { error }, asked);
    }
    case "returned":
      return answeredBy("handler", { result: ran.value }, asked);
  }
}

function toResult({ description, messages }: McpPromptResult): JsonObject {
  const told: JsonObject = description === undefined ? {} : { description };
  return { ...told, messages: messages.map(({ role, content }) => ({ role, content })) };
}
