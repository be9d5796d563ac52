import type { Headers } from "../../http/exchange.ts";
import type { JsonObject } from "../../json.ts";
import type { LoggingLevel } from "../../logging-level.ts";
import type { Answer, RpcError } from "../json-rpc.ts";
import type { ProtocolVersion } from "../versions.ts";

/** Which wire a message came over. */
export type Transport = "streamable-http" | "sse" | "stdio";

/** A question of the server's to the client, in the middle of a call. */
export interface Ask {
  /** Its name among the call's questions: what ties the client's answer to it in the era without sessions. */
  readonly key: string;
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: JsonObject;
}

/** What the method that answers a request may do with the connection that it came over, before it answers. */
export interface Link {
  readonly version: ProtocolVersion;
  readonly transport: Transport;
  readonly headers: Headers;
  readonly sessionId: string | null;
  readonly clientInfo: JsonObject | null;
  readonly clientCapabilities: JsonObject;
  /** The least level of log lines that the client wants; `null` when it wants none. */
  readonly logLevel: LoggingLevel | null;
  /** Aborted when the client cancels, when the session ends and when the server stops. */
  readonly signal: AbortSignal;
  /** Settles when the call ends before its handler does: cancelled, or sent back to the client with a question. */
  readonly interrupted: Promise<Answer>;
  /** True while the call only repeats what an earlier round of it has done already. */
  isRepeating(): boolean;
  /** What {@link carry} kept in an earlier round of this call; `null` in the first. */
  readonly carried: JsonObject | null;
  /** Keeps what the next round of this call must know, where a question ends the round. */
  carry(state: JsonObject): void;
  notify(method: string, params: JsonObject): void;
  /** Resolves to the client's result. Rejects with a {@link CallError} when the client cannot be asked this. */
  ask(ask: Ask): Promise<JsonObject>;
  /** Closes the connection of the call's stream, which the client may resume; nothing where there is none. */
  closeStream(retryMs: number): void;
}

/** An error of the wire inside a handler. With `rpc`, it is answered as that protocol error unless it is caught. */
export interface CallError extends Error {
  readonly rpc: RpcError | null;
}

export function callError(message: string, rpc: RpcError | null = null): CallError {
  return Object.assign(new Error(message), { rpc });
}

/** The protocol error that something thrown asks for. Known by its shape: two copies of this module may meet. */
export function rpcErrorOf(thrown: unknown): RpcError | null {
  return thrown instanceof Error && "rpc" in thrown ? ((thrown as CallError).rpc ?? null) : null; // only callError sets it
}

/** The client capability that a question needs, as the client has to declare it. */
export function capabilityFor({ method, params }: Ask): JsonObject {
  switch (method) {
    case "elicitation/create":
      return { elicitation: params.mode === "url" ? { url: {} } : {} };
    case "sampling/createMessage":
      return { sampling: params.tools === undefined ? {} : { tools: {} } };
    case "roots/list":
      return { roots: {} };
  }
}

/** True when `declared` holds each capability, and each part of it, that `needed` names. */
export function hasCapabilities(declared: JsonObject, needed: JsonObject): boolean {
  return Object.entries(needed).every(([name, parts]) => {
    const own = declared[name];
    return isObject(own) && isObject(parts) && Object.keys(parts).every((part) => own[part] !== undefined);
  });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
