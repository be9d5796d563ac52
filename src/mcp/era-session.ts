import { randomUUID } from "node:crypto";
import type { Identity } from "../identity.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { Limits } from "../limits.ts";
import { LOGGING_LEVELS, type LoggingLevel } from "../logging-level.ts";
import type { Transport } from "./call/link.ts";
import { type Answer, type Method, RPC, type RpcId, type RpcRequest, rpcError, type SentAnswer } from "./json-rpc.ts";
import type { Notices, Subscriber } from "./notices.ts";
import type { ServerProfile } from "./profile.ts";
import { isSince, type SessionVersion } from "./versions.ts";

/** One client's session, from its `initialize` to its end. */
export interface Session {
  readonly id: string;
  readonly version: SessionVersion;
  /** Whether it may send several messages at once. */
  readonly takesBatches: boolean;
  readonly transport: Transport;
  /** Client name as told at `initialize`. */
  readonly client: string | null;
  readonly clientInfo: JsonObject | null;
  /** What the client declared at `initialize`. */
  readonly capabilities: JsonObject;
  /** What the `initialize` request itself carried; never rebound. */
  readonly identity: Identity;
  /** True once the client has sent `notifications/initialized`. */
  initialized: boolean;
  /** The least level of log lines sent; all until the client sets one. */
  logLevel: LoggingLevel;
  /** URIs of `resources/subscribe`. */
  readonly subscriptions: Set<string>;
  /** The identity fields whose encoding was complained of already. */
  readonly warned: Set<string>;
  /** How each running call that can be cancelled is cancelled, by the id of its request. */
  readonly calls: Map<RpcId, (reason: string) => void>;
  /** Registers a request to the client; answers the id to send it with. */
  ask(waiting: Waiting): string;
  /** Takes a client's response to {@link ask}; false for an id that nobody asked with. */
  answered(response: JsonObject): boolean;
  /** How messages that belong to no call reach the client; set by the wire when the session is open. */
  carrier: SessionCarrier | null;
}

export interface SessionCarrier {
  push(text: string): void;
  /** Called once, when the session ends. */
  ended(): void;
}

/** Who waits for a client's answer. */
export interface Waiting {
  resolve(result: JsonObject): void;
  reject(error: Error): void;
}

/** The era of sessions (2024-11-05 to 2025-11-25): the handshake and the sessions it opens. */
export interface SessionEra {
  readonly sessions: ReadonlyMap<string, Session>;
  open(
    request: RpcRequest,
    wire: Pick<Session, "identity" | "transport">,
  ): { readonly session: Session; readonly answer: SentAnswer };
  get(id: string): Session | undefined;
  /** Ends a session with its calls; false when there is none of that id. */
  close(id: string, reason: string): boolean;
  closeAll(reason: string): void;
}

export interface SessionEraDependencies {
  readonly notices: Notices;
  limits(): Limits;
  /** Called when a session has ended. */
  ended(id: string): void;
  readonly newId?: () => string;
}

export function createSessionEra(
  profile: ServerProfile,
  { notices, limits, ended, newId = randomUUID }: SessionEraDependencies,
): SessionEra {
  const { capabilities, sessionVersions } = profile;
  const sessions = new Map<string, Session>();
  const unsubscribe = new Map<string, () => void>();
  let latest: Session | undefined;

  function close(id: string, reason: string): boolean {
    const session = sessions.get(id);
    if (session === undefined) return false;
    sessions.delete(id);
    unsubscribe.get(id)?.();
    unsubscribe.delete(id);
    for (const cancel of session.calls.values()) cancel(reason);
    session.carrier?.ended();
    ended(id);
    return true;
  }

  /** Clients that never end their sessions must not fill the memory; one that comes back gets 404 and starts anew. */
  function endIdlest(): void {
    const [idlest] = sessions.keys();
    if (idlest === undefined) return;
    limits().hit("sessions");
    close(idlest, "there are too many sessions, and this one was idle longest");
  }

  /** A session that is used goes to the end of the map, so that the first one is the idlest. */
  function touch(id: string): Session | undefined {
    const session = sessions.get(id);
    if (session === undefined || session === latest) return session;
    latest = session;
    sessions.delete(id);
    sessions.set(id, session);
    return session;
  }

  return {
    sessions,
    open({ params }, wire) {
      const asked = isJsonObject(params) ? params : {};
      // The server answers a version that it does not know with its newest (MCP, Lifecycle, Version negotiation).
      const version = sessionVersions.find((known) => known === asked.protocolVersion) ?? sessionVersions[0];
      if (version === undefined) throw new Error("unreachable: sessions are not served");
      const session = createSession(newId(), version, { asked, wire, takesBatches: takesBatches(profile, version) });
      sessions.set(session.id, session);
      latest = session;
      unsubscribe.set(session.id, notices.subscribe(subscriberOf(session, capabilities)));
      if (sessions.size > limits().max.sessions) endIdlest();
      const { serverInfo, instructions } = profile;
      const told = instructions === null ? {} : { instructions };
      const offered = capabilitiesOf(capabilities, version);
      return { session, answer: { result: { protocolVersion: version, capabilities: offered, serverInfo, ...told } } };
    },
    get: touch,
    close,
    closeAll(reason) {
      for (const id of [...sessions.keys()]) close(id, reason);
    },
  };
}

/** The methods of this era alone. Each answers exactly `{}`: clients and the conformance suite take no other key. */
export function sessionMethods(): Record<string, Method<{ readonly session: Session | null }>> {
  return {
    ping: () => ({ result: {} }),
    "logging/setLevel": ({ params }, { session }) => {
      const level = isJsonObject(params) ? params.level : undefined;
      const known = LOGGING_LEVELS.find((each) => each === level);
      if (known === undefined) {
        const allowed = LOGGING_LEVELS.join(", ");
        return rpcError(RPC.invalidParams, `Invalid log level ${JSON.stringify(level)}: expected one of ${allowed}`);
      }
      if (session !== null) session.logLevel = known;
      return { result: {} };
    },
    "resources/subscribe": (request, { session }) => withUri(request, (uri) => session?.subscriptions.add(uri)),
    "resources/unsubscribe": (request, { session }) => withUri(request, (uri) => session?.subscriptions.delete(uri)),
  };
}

function withUri({ params }: RpcRequest, act: (uri: string) => void): Answer {
  const uri = isJsonObject(params) ? params.uri : undefined;
  if (typeof uri !== "string") return rpcError(RPC.invalidParams, "Missing resource URI");
  act(uri);
  return { result: {} };
}

/** The specification has batches in one revision only (MCP 2025-06-18, changelog). */
function takesBatches({ batches }: ServerProfile, version: SessionVersion): boolean {
  return batches === "by-version" ? version === "2025-03-26" : batches === "always";
}

function createSession(
  id: string,
  version: SessionVersion,
  {
    asked,
    wire,
    takesBatches,
  }: { asked: JsonObject; wire: Pick<Session, "identity" | "transport">; takesBatches: boolean },
): Session {
  const waiting = new Map<string, Waiting>();
  let requests = 0;
  const { clientInfo, capabilities } = asked;
  return {
    id,
    version,
    takesBatches,
    client: isJsonObject(clientInfo) && typeof clientInfo.name === "string" ? clientInfo.name : null,
    clientInfo: isJsonObject(clientInfo) ? clientInfo : null,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    ...wire,
    initialized: false,
    logLevel: LOGGING_LEVELS[0],
    subscriptions: new Set(),
    warned: new Set(),
    calls: new Map(),
    ask(who) {
      const asked = `server-${++requests}`;
      waiting.set(asked, who);
      return asked;
    },
    answered(response) {
      const { id: asked, result, error } = response;
      const who = typeof asked === "string" ? waiting.get(asked) : undefined;
      if (who === undefined || typeof asked !== "string") return false;
      waiting.delete(asked);
      if (isJsonObject(result)) who.resolve(result);
      else who.reject(new Error(`The client answered with an error: ${JSON.stringify(error ?? null)}`));
      return true;
    },
    carrier: null,
  };
}

/** A session hears of the lists whose changes the server promised to tell, and of the resources it subscribed to. */
function subscriberOf(session: Session, offered: JsonObject): Subscriber {
  return {
    identity: session.identity,
    sessionId: session.id,
    wants(notice) {
      if (!session.initialized) return false;
      if (notice.kind === "resource") return session.subscriptions.has(notice.uri);
      const capability = offered[notice.kind];
      return isJsonObject(capability) && capability.listChanged === true;
    },
    send: (method, params) =>
      session.carrier?.push(JSON.stringify({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) })),
  };
}

/** What came later than a revision is not told to its clients. */
function capabilitiesOf(capabilities: JsonObject, version: SessionVersion): JsonObject {
  if (isSince(version, "2025-03-26")) return capabilities;
  const { completions: _, ...known } = capabilities;
  return known;
}
