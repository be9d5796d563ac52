import { randomUUID } from "node:crypto";
import type { EventSink } from "../http/exchange.ts";
import type { Identity } from "../identity.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { Limits } from "../limits.ts";
import type { Answer, RpcRequest } from "./json-rpc.ts";

/** The revisions with an `initialize` handshake, newest first. */
export const SESSION_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

export type SessionVersion = (typeof SESSION_VERSIONS)[number];

/** One client's session, from its `initialize` to its DELETE. */
export interface Session {
  readonly id: string;
  readonly version: SessionVersion;
  readonly client: string | null;
  /** What the `initialize` request itself carried; never rebound. */
  readonly identity: Identity;
  /** True once the client has sent `notifications/initialized`. */
  initialized: boolean;
  /** The stream that the client holds open with GET. */
  stream: EventSink | null;
  /** The identity fields whose encoding was complained of already. */
  readonly warned: Set<string>;
}

export interface SessionEraOptions {
  readonly serverInfo: JsonObject;
  readonly newId?: () => string;
  limits(): Limits;
}

/** The era of sessions (2024-11-05 to 2025-11-25): the handshake and the sessions it opens. */
export interface SessionEra {
  readonly sessions: ReadonlyMap<string, Session>;
  open(request: RpcRequest, identity: Identity): { readonly session: Session; readonly answer: Answer };
  get(id: string): Session | undefined;
  /** Ends a session and its stream; false when there is none of that id. */
  close(id: string): boolean;
  closeAll(): void;
}

export function createSessionEra({ serverInfo, newId = randomUUID, limits }: SessionEraOptions): SessionEra {
  const sessions = new Map<string, Session>();

  function close(id: string): boolean {
    sessions.get(id)?.stream?.close();
    return sessions.delete(id);
  }

  /** Clients that never end their sessions must not fill the memory; one that comes back gets 404 and starts anew. */
  function endIdlest(): void {
    const [idlest] = sessions.keys();
    if (idlest === undefined) return;
    limits().hit("sessions");
    close(idlest);
  }

  /** A session that is used goes to the end of the map, so that the first one is the idlest. */
  function touch(id: string): Session | undefined {
    const session = sessions.get(id);
    if (session === undefined) return undefined;
    sessions.delete(id);
    sessions.set(id, session);
    return session;
  }

  return {
    sessions,
    open({ params }, identity) {
      const asked = isJsonObject(params) ? params.protocolVersion : undefined;
      const version = SESSION_VERSIONS.find((known) => known === asked) ?? SESSION_VERSIONS[0];
      const client = clientName(isJsonObject(params) ? params : {});
      const session: Session = {
        id: newId(),
        version,
        client,
        identity,
        initialized: false,
        stream: null,
        warned: new Set(),
      };
      sessions.set(session.id, session);
      if (sessions.size > limits().max.sessions) endIdlest();
      const capabilities = { tools: {}, resources: {}, prompts: {} };
      return { session, answer: { result: { protocolVersion: version, capabilities, serverInfo } } };
    },
    get: touch,
    close,
    closeAll: () => [...sessions.keys()].forEach(close),
  };
}

/** Batches exist in one revision only (MCP 2025-06-18, changelog). */
export function allowsBatch(version: SessionVersion): boolean {
  return version === "2025-03-26";
}

function clientName({ clientInfo }: JsonObject): string | null {
  return isJsonObject(clientInfo) && typeof clientInfo.name === "string" ? clientInfo.name : null;
}
