import type { FakeStore } from "../fakes/store.ts";
import type { Identity } from "../identity.ts";
import type { ExchangeFacts } from "../journal/facts.ts";
import type { Logger } from "../logger.ts";
import {
  type Answer,
  answerMessage,
  type Method,
  RPC,
  type RpcNotification,
  type RpcRequest,
  rpcError,
} from "./json-rpc.ts";
import { promptMethods } from "./prompts.ts";
import type { Registry } from "./registry.ts";
import { resourceMethods } from "./resources.ts";
import { createTools } from "./tools.ts";

/** Who sends a message, and over which connection: all that a method may know of the wire. */
export interface Caller {
  readonly identity: Identity;
  /** The path that the mock is served at. */
  readonly mount: string;
  /** Client name as told at `initialize`. */
  readonly client: string | null;
  /** Takes what the journal is to hold of a message. */
  note(facts: ExchangeFacts): void;
}

export interface EndpointDependencies {
  readonly registry: Registry;
  readonly fakes: FakeStore;
  logger(): Logger;
  /** True for a test that was announced and has ended. */
  hasEnded(testId: string | null): boolean;
}

/** One MCP server, whatever the wire and the era: a message and its caller in, an answer out. */
export interface Endpoint {
  answer(request: RpcRequest, caller: Caller): Answer | Promise<Answer>;
  /** A notification is never answered; a `tools/call` without an id still runs its handler. */
  notice(notification: RpcNotification): void;
}

export function createEndpoint(dependencies: EndpointDependencies): Endpoint {
  const tools = createTools(dependencies);
  const methods = new Map<string, Method<Caller>>(
    Object.entries({
      ping: () => ({ result: {} }),
      ...tools.methods,
      ...resourceMethods(dependencies.registry),
      ...promptMethods(dependencies.registry),
    }),
  );

  return {
    answer(request, caller) {
      const method = methods.get(request.method);
      if (method === undefined) return noted(request, caller, rpcError(RPC.methodNotFound, "Method not found"));
      const answer = method(request, caller);
      return answer instanceof Promise
        ? answer.then((settled) => noted(request, caller, settled))
        : noted(request, caller, answer);
    },
    notice(notification) {
      if (notification.method === "tools/call") tools.run(notification.params);
    },
  };
}

/** Leaves the facts of an answered message with its exchange. */
export function noted(request: RpcRequest, caller: Caller, answer: Answer): Answer {
  const { call } = answer;
  caller.note({
    service: "mcp",
    identity: caller.identity,
    body: request.method === "tools/call" ? request.raw : null,
    answer: answerMessage(request.id, answer),
    mcp: {
      method: request.method,
      params: request.params ?? null,
      mount: caller.mount,
      client: caller.client,
      ...(call === undefined ? {} : { call }),
    },
    ...(call?.outcome === "internal_error" && call.error !== null ? { error: call.error.message } : {}),
  });
  return answer;
}
