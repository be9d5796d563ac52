import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import type { Caller } from "./endpoint.ts";
import { type Answer, type Method, RPC, rpcError } from "./json-rpc.ts";
import type { RegisteredPrompt, Registry } from "./registry.ts";

/** `prompts/*` from what code registered. */
export function promptMethods({ prompts }: Registry): Record<string, Method<Caller>> {
  return {
    "prompts/list": () => ({ result: { prompts: [...prompts.values()].map(({ definition }) => definition) } }),
    "prompts/get": ({ params }) => {
      const name = isJsonObject(params) ? params.name : undefined;
      if (typeof name !== "string") return rpcError(RPC.invalidParams, "Missing prompt name");
      const prompt = prompts.get(name);
      if (prompt === undefined) return rpcError(RPC.invalidParams, `Unknown prompt: ${name}`);
      const args = readArguments(prompt, isJsonObject(params) ? params.arguments : undefined);
      return "error" in args ? args : render(prompt, args.values);
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

async function render({ name, handler }: RegisteredPrompt, args: Record<string, string>): Promise<Answer> {
  if (handler === null) return { result: { messages: [] } };
  try {
    const { description, messages } = await handler(args);
    const told: JsonObject = description === undefined ? {} : { description };
    return { result: { ...told, messages: messages.map(({ role, content }) => ({ role, content })) } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return rpcError(RPC.internalError, `Prompt ${name}: its handler failed: ${why}`);
  }
}
