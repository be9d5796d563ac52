import type { Fact } from "../fakes/fact.ts";
import type { Fault, FaultKind } from "../fakes/fault.ts";
import type { Json, JsonObject } from "../json.ts";

/** The codes of JSON-RPC 2.0 and of MCP that this server answers with. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  serverError: -32000,
  sessionNotFound: -32001,
  resourceNotFound: -32002,
  notInitialized: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

export type RpcId = string | number | null;

export interface RpcRequest {
  readonly kind: "request";
  readonly id: RpcId;
  readonly method: string;
  readonly params: Json | undefined;
  /** The message as it came. */
  readonly raw: JsonObject;
}

export interface RpcNotification {
  readonly kind: "notification";
  readonly method: string;
  readonly params: Json | undefined;
}

export type RpcMessage =
  | RpcRequest
  | RpcNotification
  /** A client's answer to a request of the server's. */
  | { readonly kind: "response"; readonly id: RpcId; readonly raw: JsonObject }
  | { readonly kind: "invalid"; readonly why: string };

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
}

/** What a method answers, before it is tied to a request's id. */
export type Answer =
  | {
      readonly result: JsonObject;
      /** The JSON text of `result`, when it is there already. */
      readonly resultText?: string;
      readonly fact?: Fact;
      /** How the wire is to deliver it wrong. */
      readonly fault?: Fault;
      /** The fault of the server that befell the request, for the journal. */
      readonly struck?: FaultKind;
    }
  | { readonly error: RpcError; readonly fact?: Fact; readonly fault?: Fault; readonly struck?: FaultKind }
  /** The client gave the call up: nothing is sent any more. */
  | { readonly cancelled: string; readonly fact?: Fact; readonly struck?: undefined };

/** An answer that goes out. */
export type SentAnswer = Exclude<Answer, { cancelled: string }>;

/** What a fault may befall of a stream of notices that is about to open. */
export const SUBSCRIBED: SentAnswer = { result: {} };

/** Whether the wire is to deliver an answer wrong. */
export function isFaulty(answer: Answer): boolean {
  return "fault" in answer && answer.fault !== undefined;
}

export type Method<Caller> = (request: RpcRequest, caller: Caller) => Answer | Promise<Answer>;

export function rpcError(code: number, message: string, data?: Json): { readonly error: RpcError } {
  return { error: data === undefined ? { code, message } : { code, message, data } };
}

/** Sorts one parsed value by what it is in JSON-RPC 2.0. An id that is neither string nor number is answered as `null`. */
export function readMessage(value: Json): RpcMessage {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return { kind: "invalid", why: "a message must be a JSON object" };
  }
  if (value.jsonrpc !== "2.0") return { kind: "invalid", why: 'the "jsonrpc" member must be "2.0"' };
  const id = typeof value.id === "string" || typeof value.id === "number" ? value.id : null;
  if (value.method === undefined) {
    const answers = "result" in value || "error" in value;
    return answers ? { kind: "response", id, raw: value } : { kind: "invalid", why: 'the "method" member is missing' };
  }
  if (typeof value.method !== "string") return { kind: "invalid", why: 'the "method" member must be a string' };
  if (!("id" in value)) return { kind: "notification", method: value.method, params: value.params };
  return { kind: "request", id, method: value.method, params: value.params, raw: value };
}

/** The message that answers request `id`, as JSON text. */
export function answerText(id: RpcId, answer: SentAnswer): string {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`;
  return "error" in answer
    ? `${head}"error":${JSON.stringify(answer.error)}}`
    : `${head}"result":${answer.resultText ?? JSON.stringify(answer.result)}}`;
}

/** The message that answers request `id`, as the journal keeps it. */
export function answerMessage(id: RpcId, answer: SentAnswer): JsonObject {
  return "error" in answer
    ? { jsonrpc: "2.0", id, error: { ...answer.error } }
    : { jsonrpc: "2.0", id, result: answer.result };
}
