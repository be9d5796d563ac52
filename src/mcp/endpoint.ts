import type { FakeStore } from "../fakes/store.ts";
import type { McpFacts } from "../journal/facts.ts";
import type { TestRegistry } from "../journal/tests.ts";
import type { JsonObject } from "../json.ts";
import type { Logger } from "../logger.ts";
import { type Backend, backendMethods, type LiveBackend, liveMethods } from "./backend.ts";
import type { Caller } from "./call/caller.ts";
import { completionMethods } from "./completion.ts";
import { type Session, sessionMethods } from "./era-session.ts";
import { statelessMethods } from "./era-stateless.ts";
import {
  type Answer,
  answerMessage,
  type Method,
  RPC,
  type RpcNotification,
  type RpcRequest,
  rpcError,
} from "./json-rpc.ts";
import type { ServerProfile } from "./profile.ts";
import { promptMethods } from "./prompts.ts";
import type { Registry } from "./registry.ts";
import { resourceMethods } from "./resources.ts";
import { createSpoil, type Spoil } from "./server-faults.ts";
import { createTools } from "./tools.ts";

export interface EndpointDependencies {
  readonly profile: ServerProfile;
  readonly registry: Registry;
  readonly fakes: FakeStore;
  logger(): Logger;
  /** True for a test that was announced and has ended. */
  hasEnded(testId: string | null): boolean;
  /** Notes that a call is being answered; answers what notes that it is. */
  opened: TestRegistry["opened"];
  /** What answers where fakes and registrations do not; `null` for nothing. */
  readonly backend: Backend | null;
}

/** One MCP server, whatever the wire and the era: a message and its caller in, an answer out. */
export interface Endpoint {
  answer(request: RpcRequest, caller: Caller): Answer | Promise<Answer>;
  /** For a request that its wire answers by itself, a handshake above all: what a fault of the server makes of that. */
  readonly spoil: Spoil;
  /** A notification is never answered; a `tools/call` without an id still runs its handler. */
  notice(notification: RpcNotification, caller: Caller): void;
}

export function createEndpoint(dependencies: EndpointDependencies): Endpoint {
  const { profile, registry, fakes, backend } = dependencies;
  const tools = createTools(dependencies);
  const shared = {
    ...tools.methods,
    ...resourceMethods(dependencies),
    ...promptMethods(dependencies),
    ...completionMethods(registry, fakes),
    ...(backend === null ? {} : backendMethods(backend)),
  };
  const ofSession = backend?.live === undefined ? sessionMethods() : liveMethods(sessionMethods(), backend);
  const inSession = offered({ ...shared, ...ofSession }, profile.capabilities);
  const stateless = offered({ ...shared, ...statelessMethods(profile) }, profile.capabilities);

  const spoil = createSpoil(dependencies.fakes);

  return {
    spoil,
    answer(request, caller) {
      const method = (caller.session === null ? stateless : inSession).get(request.method) ?? unknownMethod;
      const answer = spoil(request, caller, (as) => method(request, as)) ?? method(request, caller);
      return answer instanceof Promise
        ? answer.then((settled) => noted(request, caller, settled))
        : noted(request, caller, answer);
    },
    notice({ method, params }, caller) {
      if (method === "tools/call") tools.run({ kind: "request", id: null, method, params, raw: {} }, caller);
      if (backend?.live !== undefined && caller.session !== null) tellBackend(backend.live, method, caller.session);
    },
  };
}

/** A server that cannot be reached says so to the next request. */
function tellBackend(live: LiveBackend, method: string, { id: sessionId, capabilities }: Session): void {
  const client = { sessionId, capabilities };
  if (method === "notifications/initialized") live.ready(client).catch(() => {});
  if (method === "notifications/roots/list_changed") live.rootsChanged(client).catch(() => {});
}

const unknownMethod: Method<Caller> = () => rpcError(RPC.methodNotFound, "Method not found");

/** Leaves the facts of an answered message with its exchange. */
export function noted(request: RpcRequest, { identity, mount, client, note }: Caller, answer: Answer): Answer {
  const { id, method, params = null, raw } = request;
  const { fact, struck: fault } = answer;
  // What a message did not do is left undefined, which costs less than to leave it out.
  const call = fact?.tool === undefined ? undefined : fact;
  const read = fact?.resource === undefined ? undefined : fact;
  const prompt = fact?.prompt === undefined ? undefined : fact;
  const mcp: McpFacts = { method, params, mount, client, call, read, prompt, fault };
  const body = method === "tools/call" ? raw : null;
  const sent = "cancelled" in answer ? undefined : answerMessage(id, answer);
  const crash = fact?.outcome === "internal_error" ? fact.error : null;
  note({ service: "mcp", identity, body, answer: sent, mcp, error: crash?.message });
  return answer;
}

/** The capability that each family of methods belongs to. */
const FAMILIES: Readonly<Record<string, string>> = {
  tools: "tools",
  resources: "resources",
  prompts: "prompts",
  completion: "completions",
  logging: "logging",
};

/** A server has the methods of the capabilities that it told of, and no others. */
function offered(methods: Record<string, Method<Caller>>, capabilities: JsonObject): Map<string, Method<Caller>> {
  return new Map(
    Object.entries(methods).filter(([method]) => {
      const family = FAMILIES[method.split("/", 1)[0] ?? ""];
      return family === undefined || capabilities[family] !== undefined;
    }),
  );
}
