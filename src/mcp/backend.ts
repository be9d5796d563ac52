import { isJsonObject, type JsonObject } from "../json.ts";
import { type McpCallContext, runHandler } from "./call/call-context.ts";
import type { Caller } from "./call/caller.ts";
import { rpcErrorOf } from "./call/link.ts";
import { type Answer, type Method, RPC, type RpcError, type RpcRequest, rpcError } from "./json-rpc.ts";

/** What stands behind a mock and answers what the mock does not: a real server, or the recording of one. */
export interface Backend {
  answer(request: BackendRequest, context: McpCallContext): Promise<BackendAnswer>;
}

export interface BackendRequest {
  readonly method: string;
  /** Without `_meta`, which belongs to the connection that the request came over. */
  readonly params: JsonObject;
}

export type BackendAnswer = { readonly result: JsonObject } | { readonly error: RpcError };

/** The methods that a backend answers whole; `tools/call` it answers when no fake does. */
const WHOLE_METHODS = [
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
  "completion/complete",
];

export function backendMethods(backend: Backend): Record<string, Method<Caller>> {
  return Object.fromEntries(
    WHOLE_METHODS.map((method) => [
      method,
      (request: RpcRequest, caller: Caller) => askBackend(backend, request, caller),
    ]),
  );
}

/** Passes a request on. What goes wrong behind the mock is a protocol error that says so. */
export async function askBackend(backend: Backend, request: RpcRequest, caller: Caller): Promise<Answer> {
  const { _meta, ...params } = isJsonObject(request.params) ? request.params : {};
  const ran = await runHandler(request, caller, (context) =>
    backend.answer({ method: request.method, params }, context),
  );
  switch (ran.kind) {
    case "returned":
      return ran.value;
    case "interrupted":
      return ran.answer;
    case "threw": {
      const why = ran.error instanceof Error ? ran.error.message : String(ran.error);
      return { error: rpcErrorOf(ran.error) ?? rpcError(RPC.internalError, why).error };
    }
  }
}
