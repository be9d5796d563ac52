import type { FakeStore } from "../fakes/store.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { runHandler } from "./call/call-context.ts";
import type { Caller } from "./call/caller.ts";
import { rpcErrorOf } from "./call/link.ts";
import { type Answer, type Method, RPC, type RpcRequest, rpcError } from "./json-rpc.ts";
import { offeredTo } from "./offers.ts";
import { pageOf } from "./pages.ts";
import type { ServerProfile } from "./profile.ts";
import type { McpPromptHandler, McpPromptResult, RegisteredPrompt, Registry } from "./registry.ts";

/** `prompts/*` from what code registered and files offer. */
export function promptMethods(
  registry: Registry,
  fakes: Pick<FakeStore, "offers">,
  { pageSize }: Pick<ServerProfile, "pageSize">,
): Record<string, Method<Caller>> {
  return {
    "prompts/list": ({ params }, { identity }) => {
      const { prompts } = offeredTo(identity, registry, fakes);
      const definitions = [...prompts.values()].map(({ definition }) => definition);
      return pageOf("prompts", definitions, { params, pageSize });
    },
    "prompts/get": (request, caller) => {
      const { params } = request;
      const name = isJsonObject(params) ? params.name : undefined;
      if (typeof name !== "string") return rpcError(RPC.invalidParams, "Missing prompt name");
      const prompt = offeredTo(caller.identity, registry, fakes).prompts.get(name);
      if (prompt === undefined) return rpcError(RPC.invalidParams, `Unknown prompt: ${name}`);
      const args = readArguments(prompt, isJsonObject(params) ? params.arguments : undefined);
      if ("error" in args) return args;
      return prompt.handler === null
        ? { result: { messages: [] } }
        : render(prompt.handler, args.values, { request, caller });
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

async function render(
  handler: McpPromptHandler,
  args: Record<string, string>,
  { request, caller }: { request: RpcRequest; caller: Caller },
): Promise<Answer> {
  const ran = await runHandler(request, caller, async (context) => toResult(await handler(args, context)));
  switch (ran.kind) {
    case "interrupted":
      return ran.answer;
    case "threw": {
      const why = ran.error instanceof Error ? ran.error.message : String(ran.error);
      return {
        error: rpcErrorOf(ran.error) ?? rpcError(RPC.internalError, `The prompt's handler failed: ${why}`).error,
      };
    }
    case "returned":
      return { result: ran.value };
  }
}

function toResult({ description, messages }: McpPromptResult): JsonObject {
  const told: JsonObject = description === undefined ? {} : { description };
  return { ...told, messages: messages.map(({ role, content }) => ({ role, content })) };
}
