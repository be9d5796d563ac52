import { isJsonObject, type JsonObject } from "../json.ts";
import { type McpCallContext, runHandler } from "./call/call-context.ts";
import type { Caller } from "./call/caller.ts";
import { rpcErrorOf } from "./call/link.ts";
import { type Answer, type Method, RPC, type RpcError, type RpcRequest, rpcError } from "./json-rpc.ts";

/** What stands behind a mock and answers what the mock does not: a real server, or the recording of one. */
export interface Backend {
  answer(request: BackendRequest, context: McpCallContext): Promise<BackendAnswer>;
  /** Only of a backend that speaks unasked: a real server. */
  readonly live?: LiveBackend;
}

/** What a real server hears of the mock's clients beside their requests. */
export interface LiveBackend {
  /** A session is open: its client may be told of changes. */
  ready(client: BackendClient): Promise<void>;
  rootsChanged(client: BackendClient): Promise<void>;
  /** A client without a session listens to these resources. Resolves to the way to stop; rejects with a refusal. */
  listen(uris: readonly string[]): Promise<() => Promise<void>>;
  sessionEnded(id: string): void;
}

/** Who stands before a backend: a session, or all clients without one. */
export interface BackendClient {
  readonly sessionId: string | null;
  readonly capabilities: JsonObject;
}

export interface BackendRequest {
  readonly method: string;
  /** Without `_meta`, which belongs to the connection that the request came over. */
  readonly params: JsonObject;
}

export type BackendAnswer = { readonly result: JsonObject } | { readonly error: RpcError };

/** The methods that a backend answers whole; what asks for a target it answers when no fake does. */
const WHOLE_METHODS = [
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "prompts/list",
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

/** Methods that the mock answers and the server behind hears of, since it is the one that tells what they ask for. */
export function liveMethods(local: Record<string, Method<Caller>>, backend: Backend): Record<string, Method<Caller>> {
  const heard = ["logging/setLevel", "resources/subscribe", "resources/unsubscribe"];
  return Object.fromEntries(
    Object.entries(local).map(([name, method]) => {
      if (!heard.includes(name)) return [name, method];
      const both: Method<Caller> = async (request, caller) => {
        const answer = await askBackend(backend, request, caller);
        return "result" in answer ? method(request, caller) : answer;
      };
      return [name, both];
    }),
  );
}

/** Passes a request on. What goes wrong behind the mock is a protocol error that says so. */
export async function askBackend(backend: Backend, request: RpcRequest, caller: Caller): Promise<Answer> {
  const { _meta, inputResponses, requestState, ...params } = isJsonObject(request.params) ? request.params : {};
  // A call that goes back to its client with a question comes again: the server is not to wait for its first round.
  const round = new AbortController();
  const ran = await runHandler(request, caller, (context) =>
    backend.answer(
      { method: request.method, params },
      { ...context, signal: AbortSignal.any([context.signal, round.signal]) },
    ),
  );
  switch (ran.kind) {
    case "returned":
      return ran.value;
    case "interrupted":
      round.abort();
      return ran.answer;
    case "threw": {
      const why = ran.error instanceof Error ? ran.error.message : String(ran.error);
      return { error: rpcErrorOf(ran.error) ?? rpcError(RPC.internalError, why).error };
    }
  }
}
