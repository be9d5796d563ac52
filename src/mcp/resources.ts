import { isJsonObject } from "../json.ts";
import type { Caller } from "./endpoint.ts";
import { type Method, RPC, rpcError } from "./json-rpc.ts";
import type { Registry } from "./registry.ts";

/** `resources/*` from what code registered. */
export function resourceMethods({ resources }: Registry): Record<string, Method<Caller>> {
  return {
    "resources/list": () => ({ result: { resources: [...resources.values()].map(({ definition }) => definition) } }),
    "resources/templates/list": () => ({ result: { resourceTemplates: [] } }),
    "resources/read": ({ params }) => {
      const uri = isJsonObject(params) ? params.uri : undefined;
      if (typeof uri !== "string") return rpcError(RPC.invalidParams, "Missing resource URI");
      const resource = resources.get(uri);
      if (resource === undefined) return rpcError(RPC.resourceNotFound, `Unknown resource: ${uri}`, { uri });
      return { result: { contents: [resource.content] } };
    },
  };
}
