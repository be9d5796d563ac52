import type { FakeStore } from "../fakes/store.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { type McpCallContext, runHandler } from "./call/call-context.ts";
import type { Caller } from "./call/caller.ts";
import { rpcErrorOf } from "./call/link.ts";
import { type Answer, type Method, RPC, type RpcRequest, rpcError } from "./json-rpc.ts";
import { type Offered, offeredTo } from "./offers.ts";
import { pageOf } from "./pages.ts";
import type { ServerProfile } from "./profile.ts";
import type { Registry } from "./registry.ts";

/** `resources/*` from what code registered and files offer. */
export function resourceMethods(
  registry: Registry,
  fakes: Pick<FakeStore, "offers">,
  { pageSize }: Pick<ServerProfile, "pageSize">,
): Record<string, Method<Caller>> {
  const definitionsOf = (registered: Offered["resources"] | Offered["templates"]) =>
    [...registered.values()].map(({ definition }) => definition);
  const offered = ({ identity }: Caller) => offeredTo(identity, registry, fakes);
  return {
    "resources/list": ({ params }, caller) =>
      pageOf("resources", definitionsOf(offered(caller).resources), { params, pageSize }),
    "resources/templates/list": ({ params }, caller) =>
      pageOf("resourceTemplates", definitionsOf(offered(caller).templates), { params, pageSize }),
    "resources/read": (request, caller) => {
      const uri = isJsonObject(request.params) ? request.params.uri : undefined;
      if (typeof uri !== "string") return rpcError(RPC.invalidParams, "Missing resource URI");
      const reader = findReader(offered(caller), uri);
      return reader === undefined ? unknownResource(uri, caller) : read(reader, { uri, request, caller });
    },
  };
}

interface Reader {
  readonly definition: JsonObject;
  read(context: McpCallContext): unknown;
}

/** A resource of exactly this URI, else the first template that fits. */
function findReader({ resources, templates }: Offered, uri: string): Reader | undefined {
  const resource = resources.get(uri);
  if (resource !== undefined) {
    return { definition: resource.definition, read: (context) => resource.read(uri, context) };
  }
  for (const template of templates.values()) {
    const variables = template.match(uri);
    if (variables !== undefined) {
      return { definition: template.definition, read: (context) => template.read(variables, context) };
    }
  }
  return undefined;
}

/** 2026-07-28 took the code of its own away again: there, it is an invalid parameter. */
function unknownResource(uri: string, { session }: Caller): Answer {
  const code = session === null ? RPC.invalidParams : RPC.resourceNotFound;
  return rpcError(code, `Unknown resource: ${uri}`, { uri });
}

async function read(
  { definition, read }: Reader,
  { uri, request, caller }: { uri: string; request: RpcRequest; caller: Caller },
): Promise<Answer> {
  const ran = await runHandler(request, caller, read);
  switch (ran.kind) {
    case "interrupted":
      return ran.answer;
    case "threw": {
      const why = ran.error instanceof Error ? ran.error.message : String(ran.error);
      return {
        error:
          rpcErrorOf(ran.error) ?? rpcError(RPC.internalError, `Resource ${uri}: its handler failed: ${why}`).error,
      };
    }
    case "returned": {
      const mimeType = definition.mimeType === undefined ? {} : { mimeType: definition.mimeType };
      return { result: { contents: [{ uri, ...mimeType, ...(ran.value as JsonObject) }] } }; // the handler's type says so
    }
  }
}
