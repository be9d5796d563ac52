import { isJsonObject, type JsonObject } from "../json.ts";
import { thrownText } from "../text.ts";
import { type Asked, answeredBy, passOn, unknown } from "./asked.ts";
import { type McpCallContext, runHandler } from "./call/call-context.ts";
import type { Caller } from "./call/caller.ts";
import { rpcErrorOf } from "./call/link.ts";
import type { EndpointDependencies } from "./endpoint.ts";
import { createFaked } from "./faked.ts";
import { type Answer, type Method, RPC, type RpcRequest, rpcError } from "./json-rpc.ts";
import { listedTo, type Offered, offeredTo } from "./offers.ts";
import { pageOf } from "./pages.ts";

/** `resources/*`: fakes first, then what code registered and files offer. */
export function resourceMethods(dependencies: EndpointDependencies): Record<string, Method<Caller>> {
  const { registry, fakes, backend, profile } = dependencies;
  const { pageSize } = profile;
  const offered = ({ identity }: Caller) => offeredTo(identity, registry, fakes);
  const answerFaked = createFaked(dependencies, { first: () => null, otherwise: answerOffered });

  function answerOffered(asked: Asked): Answer | Promise<Answer> {
    const { target, caller } = asked;
    let reader: Reader | undefined;
    try {
      reader = findReader(offered(caller), target.name);
    } catch (error) {
      const why = `Resource ${target.name} could not be looked up: ${thrownText(error)}`;
      return answeredBy("invalid", rpcError(RPC.internalError, why), asked);
    }
    if (reader !== undefined) return read(reader, asked);
    return backend === null
      ? unknown("unknown_resource", unknownResource(asked), { asked, fakes })
      : passOn(backend, asked);
  }

  return {
    "resources/list": ({ params }, caller) => {
      const listed = listedTo(caller.identity, "resource", { known: offered(caller).resources, fakes });
      return pageOf("resources", listed, { params, pageSize });
    },
    "resources/templates/list": ({ params }, caller) => {
      const listed = [...offered(caller).templates.values()].map(({ definition }) => definition);
      return pageOf("resourceTemplates", listed, { params, pageSize });
    },
    "resources/read": (request: RpcRequest, caller) => {
      const uri = isJsonObject(request.params) ? request.params.uri : undefined;
      const name = typeof uri === "string" ? uri : "";
      const asked: Asked = { request, target: { kind: "resource", name }, given: undefined, caller };
      if (typeof uri === "string") return answerFaked(asked);
      return answeredBy("invalid", rpcError(RPC.invalidParams, "Missing resource URI"), asked);
    },
  };
}

interface Reader {
  readonly definition: JsonObject;
  read(context: McpCallContext): unknown;
}

/** A resource of exactly this URI, else the first template that fits. Throws when a template takes too long to fit. */
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
function unknownResource({ target: { name: uri }, caller: { session } }: Asked): Answer {
  const code = session === null ? RPC.invalidParams : RPC.resourceNotFound;
  return rpcError(code, `Unknown resource: ${uri}`, { uri });
}

async function read({ definition, read }: Reader, asked: Asked): Promise<Answer> {
  const uri = asked.target.name;
  const ran = await runHandler(asked.request, asked.caller, read);
  switch (ran.kind) {
    case "interrupted":
      return "cancelled" in ran.answer ? answeredBy("handler", ran.answer, asked) : ran.answer;
    case "threw": {
      const why = ran.error instanceof Error ? ran.error.message : String(ran.error);
      const error =
        rpcErrorOf(ran.error) ?? rpcError(RPC.internalError, `Resource ${uri}: its handler failed: ${why}`).error;
      return answeredBy("handler", { error }, asked);
    }
    case "returned": {
      const mimeType = definition.mimeType === undefined ? {} : { mimeType: definition.mimeType };
      const contents = [{ uri, ...mimeType, ...(ran.value as JsonObject) }]; // the handler's type says so
      return answeredBy("handler", { result: { contents } }, asked);
    }
  }
}
