import { AsyncLocalStorage } from "node:async_hooks";
import type { Client, Transport } from "@modelcontextprotocol/client";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { LOGGING_LEVELS } from "../logging-level.ts";
import type { BackendAnswer, BackendRequest } from "../mcp/backend.ts";
import type { McpCallContext } from "../mcp/call/call-context.ts";
import type { UpstreamConfig } from "./schema.ts";
import { openTransport } from "./transport.ts";
import { losesSession, refusalOf, UnreachableError, unansweredError } from "./trouble.ts";
import { askInEnvelope, askInSession, type Wishes } from "./wishes.ts";

/** What a server tells of itself when a client connects. */
export interface UpstreamTold {
  readonly serverInfo: JsonObject & { name: string; version: string };
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly instructions: string | null;
}

/** A message of the server's that belongs to no call: a list has changed, a resource was updated, a line of its log. */
export type Unasked = (method: string, params: JsonObject) => void;

/** One connection to a real server, in whichever era it speaks. */
export interface Connection {
  readonly told: UpstreamTold;
  isClosed(): boolean;
  /** Rejects with an `Error` that names the server when no answer of its comes. */
  request(request: BackendRequest, context: McpCallContext): Promise<BackendAnswer>;
  /** The names of its tools. Rejects when the list cannot be had. */
  toolNames(): Promise<readonly string[]>;
  /** Tells what is to be told unasked. Rejects with what the server refused. */
  want(wishes: Wishes): Promise<void>;
  /** Tells that the client's roots have changed. */
  rootsChanged(): Promise<void>;
  /** Says who takes what is told unasked; nobody at first. */
  onUnasked(take: Unasked): void;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** What the server may ask of the client. */
  readonly capabilities: JsonObject;
}

/**
 * Connects to a real server with the official client, over stdio or Streamable HTTP.
 * Rejects with an `Error` that says why, and what the server printed, when it cannot be reached.
 */
export async function connect(config: UpstreamConfig, options: ConnectOptions): Promise<Connection> {
  try {
    return await connectOnce(config, { ...options, mode: "auto" });
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    // A program may end when the first thing that it hears is a question of a later era than its own.
    if (!("command" in config) || !error.hasEnded) throw error;
    return connectOnce(config, { ...options, mode: "legacy" });
  }
}

async function connectOnce(
  config: UpstreamConfig,
  { capabilities, mode }: ConnectOptions & { readonly mode: "auto" | "legacy" },
): Promise<Connection> {
  // Loaded when needed: most servers have no other behind them.
  const { Client } = await import("@modelcontextprotocol/client");
  const client = new Client({ name: "mcp-fakes", version: "1.0.0" }, { capabilities, versionNegotiation: { mode } });
  let printed = "";
  let closed = false;
  /** What the session was lost by. */
  let lost: Error | null = null;
  let tokens = 0;
  let unasked: Unasked = () => {};
  /** The calls on their way, by the token that their progress is told with. */
  const calls = new Map<unknown, McpCallContext>();
  const { transport, endSession } = await openTransport(config, (text) => {
    printed = (printed + text).slice(-STDERR_CHARS_MAX);
  });
  onEachMessage(transport, ({ method, params }) => {
    if (method === "notifications/progress") passProgress(asObject(params), calls);
  });
  answerQuestions(client, { capabilities, call: () => theCall(calls) });
  client.fallbackNotificationHandler = async ({ method, params }) => {
    const given = asObject(params);
    const heard = method === "notifications/message" ? callsFor(calls) : [];
    for (const context of heard) passLog(given, context);
    if (heard.length === 0) unasked(method, given);
  };
  client.onclose = () => {
    closed = true;
  };
  // The client itself would wait for ever for answers whose stream has broken off.
  client.onerror = (error) => {
    if (lost !== null || !losesSession(config, error)) return;
    lost = error;
    void client.close();
  };
  try {
    await client.connect(transport);
  } catch (error) {
    throw new UnreachableError(config, lost ?? error, printed);
  }
  const told = toldBy(client);
  const ask = client.getProtocolEra() === "modern" ? askInEnvelope : askInSession;
  const { want, meta } = ask(client, told.capabilities);

  return {
    told,
    isClosed: () => closed,
    async request({ method, params }, context) {
      const token = `call-${++tokens}`;
      calls.set(token, context);
      const sent = { method, params: { ...params, _meta: { progressToken: token, ...meta() } } };
      const options = { signal: context.signal, timeout: CALL_MS_MAX };
      try {
        const result = await asking.run(context, () => client.request(sent, ANYTHING, options));
        return { result: withoutEra(asObject(result)) };
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal !== null) return { error: refusal };
        throw unansweredError(config, { method, cause: lost ?? error, printed, hasEnded: closed });
      } finally {
        calls.delete(token);
      }
    },
    async toolNames() {
      if (told.capabilities.tools === undefined) return [];
      return (await client.listTools()).tools.map(({ name }) => name);
    },
    want,
    rootsChanged: () => client.sendRootsListChanged(),
    onUnasked(take) {
      unasked = take;
    },
    async close() {
      if (!closed) await endSession();
      await client.close();
    },
  };
}

// --- internal ---

/** A call may take as long as its own client waits. */
const CALL_MS_MAX = 2 ** 31 - 1;

const STDERR_CHARS_MAX = 2000;

/**
 * The call that the code around belongs to: what reads the stream of a call's own answer (Streamable HTTP), and what
 * answers the questions that came in place of its result (2026-07-28).
 */
const asking = new AsyncLocalStorage<McpCallContext>();

/** The call that a question is about. Over stdio a server does not say it, so that there has to be only one. */
function theCall(calls: ReadonlyMap<unknown, McpCallContext>): McpCallContext {
  const open = callsFor(calls);
  const [only] = open;
  if (only === undefined) throw new Error("no call is on its way whose client could be asked");
  if (open.length === 1) return only;
  throw new Error(
    `${open.length} calls of clients without sessions are on their way, and the server does not say which one it asks about`,
  );
}

/** The calls that a message may belong to: one where the protocol tells or all are of one client, else each. */
function callsFor(calls: ReadonlyMap<unknown, McpCallContext>): McpCallContext[] {
  const open = [...calls.values()];
  const last = open.at(-1);
  const own = asking.getStore() ?? (last?.request.sessionId === null ? undefined : last);
  return own === undefined ? open : [own];
}

function toldBy(client: Client): UpstreamTold {
  const { name = "upstream", version = "0.0.0" } = client.getServerVersion() ?? {};
  return {
    serverInfo: { ...asObject(client.getServerVersion()), name, version },
    protocolVersion: client.getNegotiatedProtocolVersion() ?? "",
    capabilities: asObject(client.getServerCapabilities()),
    instructions: client.getInstructions() ?? null,
  };
}

/**
 * Hears each message before the client does. The client itself lets go of a call's progress as soon as its answer is
 * there, also of what was told before it.
 */
function onEachMessage(transport: Transport, hear: (message: { method?: unknown; params?: unknown }) => void): void {
  let receive: Transport["onmessage"];
  Object.defineProperty(transport, "onmessage", {
    get: () => receive,
    set(handler: Transport["onmessage"]) {
      receive =
        handler &&
        ((message, extra) => {
          hear("method" in message ? message : {});
          handler(message, extra);
        });
    },
  });
}

function passProgress(
  { progressToken, progress, total, message }: JsonObject,
  following: ReadonlyMap<unknown, McpCallContext>,
): void {
  following
    .get(progressToken)
    ?.progress(
      Number(progress),
      typeof total === "number" ? total : undefined,
      typeof message === "string" ? message : undefined,
    );
}

/** What a server asks goes to the client of the call that it is about. */
function answerQuestions(
  client: Client,
  { capabilities, call }: { capabilities: JsonObject; call: () => McpCallContext },
): void {
  const accepting = { params: ANYTHING, result: ANYTHING };
  const { elicitation, sampling, roots } = capabilities;
  if (elicitation !== undefined) {
    client.setRequestHandler("elicitation/create", accepting, (params) => call().elicit(asObject(params)));
  }
  if (sampling !== undefined) {
    client.setRequestHandler("sampling/createMessage", accepting, (params) => call().sample(asObject(params)));
  }
  if (roots !== undefined) client.setRequestHandler("roots/list", accepting, () => call().roots());
}

function passLog({ level, data, logger }: JsonObject, context: McpCallContext): void {
  const known = LOGGING_LEVELS.find((each) => each === level);
  if (known !== undefined) context.log(known, data ?? null, typeof logger === "string" ? logger : undefined);
}

/** Takes whatever came: a proxy shows its clients what the server said, not what it should have said. */
const ANYTHING = {
  "~standard": { version: 1, vendor: "mcp-fakes", validate: (value: unknown) => ({ value }) },
} as const;

/** Marks of the era that the server was spoken to in; the mock's own wires make those of its client's era. */
function withoutEra({ resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...result }: JsonObject): JsonObject {
  return result;
}

function asObject(value: unknown): JsonObject {
  const json = value as Json | undefined; // parsed from JSON by the client
  return json !== undefined && isJsonObject(json) ? json : {};
}
