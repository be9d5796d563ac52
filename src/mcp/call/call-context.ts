import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { isLogged, type LoggingLevel } from "../../logging-level.ts";
import type { Answer, RpcRequest } from "../json-rpc.ts";
import { isSince, type ProtocolVersion } from "../versions.ts";
import type { Caller } from "./caller.ts";
import {
  isElicitResult,
  isRootsResult,
  isSampleResult,
  type McpElicitResult,
  type McpRootsResult,
  type McpSampleResult,
} from "./client-answers.ts";
import { type Ask, callError, type Link, type Transport } from "./link.ts";

/** The request that a handler answers, as it came over the wire. */
export interface McpRequestView {
  readonly id: string | number | null;
  /** JSON-RPC method, e.g. `tools/call`. */
  readonly method: string;
  readonly params: JsonObject;
  /** `params._meta`. */
  readonly meta: JsonObject;
  readonly era: "session" | "stateless";
  readonly protocolVersion: ProtocolVersion;
  readonly transport: Transport;
  /** HTTP headers, lower-case; empty on stdio. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly sessionId: string | null;
  readonly clientInfo: JsonObject | null;
  readonly clientCapabilities: JsonObject;
  readonly testId: string | null;
  readonly context: string | null;
}

/** How a question to the client is named. */
export interface McpAskOptions {
  /**
   * Ties the client's answer to the question in the era without sessions; unique within a call. Without one, questions
   * are numbered as they are asked: `elicit-1`, `sample-1`, `roots-1`.
   */
  key?: string;
}

/** What a handler may do while it answers, the same in every revision and over every wire. */
export interface McpCallContext {
  readonly request: McpRequestView;
  /** Aborted when the client cancels, when its session ends and when the server stops. */
  readonly signal: AbortSignal;
  /** Reports progress; dropped when the client asked for none. @example context.progress(50, 100, "halfway") */
  progress(progress: number, total?: number, message?: string): void;
  /** Sends a log line, when the client wants lines of that level. @example context.log("info", "started") */
  log(level: LoggingLevel, data: Json, logger?: string): void;
  /**
   * Asks the user. Rejects when the client did not declare the capability. In 2026-07-28 the call goes back to the
   * client with the question, and the handler runs again from its start once the answer is there.
   *
   * @example const { action, content } = await context.elicit({ message: "Sure?", requestedSchema: { type: "object", properties: {} } })
   */
  elicit(params: JsonObject, options?: McpAskOptions): Promise<McpElicitResult>;
  /** Asks the client's model; as `elicit`. @example await context.sample({ messages: [...], maxTokens: 50 }) */
  sample(params: JsonObject, options?: McpAskOptions): Promise<McpSampleResult>;
  /** Asks for the client's roots; as `elicit`. */
  roots(options?: McpAskOptions): Promise<McpRootsResult>;
  /** Closes the connection of the call's stream without ending the call: the client resumes it after `retryMs`. */
  closeStream(retryMs?: number): void;
}

/** How running a handler ended. */
export type Ran<T = unknown> =
  | { readonly kind: "returned"; readonly value: T }
  | { readonly kind: "threw"; readonly error: unknown }
  /** The call ended first: cancelled, or sent back to the client with a question. */
  | { readonly kind: "interrupted"; readonly answer: Answer };

/** Runs a handler with the context of the call that it answers. Never rejects. */
export function runHandler<T>(
  request: RpcRequest,
  caller: Caller,
  handler: (context: McpCallContext) => T | Promise<T>,
): Promise<Ran<T>> {
  const link = caller.link();
  const context = createCallContext(request, caller, link);
  return Promise.race([run(() => handler(context)), link.interrupted.then(interruptedBy)]);
}

const RETRY_MS = 1000;

function createCallContext(request: RpcRequest, { identity, session }: Caller, link: Link): McpCallContext {
  const params = isJsonObject(request.params) ? request.params : {};
  const meta = isJsonObject(params._meta) ? params._meta : {};
  const token = meta.progressToken;
  const counts = new Map<string, number>();

  async function ask<T>(
    question: Omit<Ask, "key">,
    { word, key }: { word: string; key: string | undefined },
    isAnswer: (answer: JsonObject) => answer is JsonObject & T,
  ): Promise<T> {
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    const answer = await link.ask({ ...question, key: key ?? `${word}-${count}` });
    if (isAnswer(answer)) return answer;
    throw callError(`The client's answer to ${question.method} is malformed: ${JSON.stringify(answer)}`);
  }

  return {
    request: {
      id: request.id,
      method: request.method,
      params,
      meta,
      era: session === null ? "stateless" : "session",
      protocolVersion: link.version,
      transport: link.transport,
      headers: link.headers,
      sessionId: link.sessionId,
      clientInfo: link.clientInfo,
      clientCapabilities: link.clientCapabilities,
      testId: identity.testId,
      context: identity.context,
    },
    signal: link.signal,
    progress(progress, total, message) {
      if (typeof token !== "string" && typeof token !== "number") return;
      const counted: JsonObject = total === undefined ? { progress } : { progress, total };
      const told = message !== undefined && isSince(link.version, "2025-03-26") ? { message } : {};
      link.notify("notifications/progress", { progressToken: token, ...counted, ...told });
    },
    log(level, data, logger) {
      // A session's level may change while the call runs.
      const least = session === null ? link.logLevel : session.logLevel;
      if (least === null || !isLogged(level, least)) return;
      link.notify("notifications/message", { level, data, ...(logger === undefined ? {} : { logger }) });
    },
    elicit: (params, { key } = {}) =>
      ask({ method: "elicitation/create", params }, { word: "elicit", key }, isElicitResult),
    sample: (params, { key } = {}) =>
      ask({ method: "sampling/createMessage", params }, { word: "sample", key }, isSampleResult),
    roots: ({ key } = {}) => ask({ method: "roots/list", params: {} }, { word: "roots", key }, isRootsResult),
    closeStream: (retryMs = RETRY_MS) => link.closeStream(retryMs),
  };
}

async function run<T>(handler: () => T | Promise<T>): Promise<Ran<T>> {
  try {
    return { kind: "returned", value: await handler() };
  } catch (error) {
    return { kind: "threw", error };
  }
}

function interruptedBy(answer: Answer): Ran<never> {
  return { kind: "interrupted", answer };
}
