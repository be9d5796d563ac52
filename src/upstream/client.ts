import type { Client, Transport } from "@modelcontextprotocol/client";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { LOGGING_LEVELS } from "../logging-level.ts";
import type { Backend, BackendAnswer, BackendRequest } from "../mcp/backend.ts";
import type { McpCallContext } from "../mcp/call/call-context.ts";
import { RPC, type RpcError } from "../mcp/json-rpc.ts";
import { thrownText } from "../text.ts";
import type { UpstreamConfig } from "./schema.ts";

/** A real MCP server behind a proxy. */
export interface Upstream extends Backend {
  readonly told: UpstreamTold;
  close(): Promise<void>;
}

/** What a server tells of itself when a client connects. */
export interface UpstreamTold {
  readonly serverInfo: JsonObject & { name: string; version: string };
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly instructions: string | null;
}

/** Unasked messages of a server that concern no call: a list has changed, a resource was updated. */
export type UpstreamNotice = (method: string, params: JsonObject) => void;

/**
 * Connects to a real server with the official client, over stdio or Streamable HTTP, in whichever era it speaks.
 * Rejects with an `Error` that says why, and what the server printed, when it cannot be reached.
 *
 * @example const upstream = await connectUpstream({ command: "npx", args: ["-y", "some-server"] }, () => {})
 */
export async function connectUpstream(config: UpstreamConfig, notice: UpstreamNotice): Promise<Upstream> {
  /** Calls on their way, the newest last: what a server asks or logs belongs to the newest. */
  const calls: McpCallContext[] = [];
  let connection = await connect(config, { calls, notice });

  return {
    told: connection.told,
    async answer({ method, params }, context) {
      try {
        // A server that has died is started again, once for each call.
        if (connection.isClosed()) connection = await connect(config, { calls, notice });
      } catch (error) {
        return { error: { code: RPC.internalError, message: thrownText(error) } };
      }
      calls.push(context);
      try {
        return await connection.request({ method, params }, context);
      } finally {
        calls.splice(calls.lastIndexOf(context), 1);
      }
    },
    close: () => connection.close(),
  };
}

// --- internal ---

interface Connection {
  readonly told: UpstreamTold;
  isClosed(): boolean;
  request(request: BackendRequest, context: McpCallContext): Promise<BackendAnswer>;
  close(): Promise<void>;
}

/** A call may take as long as its own client waits. */
const CALL_MS_MAX = 2 ** 31 - 1;

const STDERR_CHARS_MAX = 2000;

async function connect(
  config: UpstreamConfig,
  { calls, notice }: { calls: readonly McpCallContext[]; notice: UpstreamNotice },
): Promise<Connection> {
  // Loaded when needed: most servers have no other behind them.
  const sdk = await import("@modelcontextprotocol/client");
  const client = new sdk.Client(
    { name: "mcp-fakes", version: "1.0.0" },
    {
      capabilities: { sampling: { tools: {} }, elicitation: { form: {}, url: {} }, roots: { listChanged: true } },
      versionNegotiation: { mode: "auto" },
    },
  );
  let printed = "";
  let closed = false;
  let tokens = 0;
  /** The calls on their way, by the token that their progress is told with. */
  const following = new Map<unknown, McpCallContext>();
  const name = "url" in config ? config.url : [config.command, ...(config.args ?? [])].join(" ");
  const transport = await openTransport(config, sdk.StreamableHTTPClientTransport, (text) => {
    printed = (printed + text).slice(-STDERR_CHARS_MAX);
  });
  onEachMessage(transport, ({ method, params }) => {
    if (method === "notifications/progress") passProgress(asObject(params), following);
  });
  const shown = () => (printed.trim() === "" ? "" : ` It printed:\n${printed.trim()}`);
  answerQuestions(client, () => calls.at(-1));
  client.fallbackNotificationHandler = async ({ method, params }) => {
    const given = asObject(params);
    if (method === "notifications/message") passLog(given, calls.at(-1));
    else notice(method, given);
  };
  client.onclose = () => {
    closed = true;
  };
  try {
    await client.connect(transport);
  } catch (error) {
    throw new Error(`The upstream server (${name}) cannot be reached: ${thrownText(error)}.${shown()}`);
  }
  return {
    told: {
      serverInfo: { ...asObject(client.getServerVersion()), ...identityOf(client) },
      protocolVersion: client.getNegotiatedProtocolVersion() ?? "",
      capabilities: asObject(client.getServerCapabilities()),
      instructions: client.getInstructions() ?? null,
    },
    isClosed: () => closed,
    async request({ method, params }, context) {
      const token = `call-${++tokens}`;
      following.set(token, context);
      const sent = { method, params: { ...params, _meta: { progressToken: token } } };
      const options = { signal: context.signal, timeout: CALL_MS_MAX };
      try {
        return { result: withoutEra(asObject(await client.request(sent, ANYTHING, options))) };
      } catch (error) {
        if (!closed) return { error: toRpcError(error) };
        return {
          error: { code: RPC.internalError, message: `The upstream server (${name}) ended during the call.${shown()}` },
        };
      } finally {
        following.delete(token);
      }
    },
    close: () => client.close(),
  };
}

async function openTransport(
  config: UpstreamConfig,
  Http: typeof import("@modelcontextprotocol/client").StreamableHTTPClientTransport,
  print: (text: string) => void,
): Promise<Transport> {
  if ("url" in config) return new Http(new URL(config.url), { requestInit: { headers: config.headers ?? {} } });
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const { command, args = [], env, cwd } = config;
  const transport = new StdioClientTransport({
    command,
    args,
    stderr: "pipe",
    ...(env === undefined ? {} : { env }),
    ...(cwd === undefined ? {} : { cwd }),
  });
  transport.stderr?.on("data", (chunk: Buffer) => print(chunk.toString("utf8")));
  return transport;
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
function answerQuestions(client: Client, newest: () => McpCallContext | undefined): void {
  const asking = () => {
    const context = newest();
    if (context !== undefined) return context;
    throw new Error("no call is on its way whose client could be asked");
  };
  const accepting = { params: ANYTHING, result: ANYTHING };
  client.setRequestHandler("elicitation/create", accepting, (params) => asking().elicit(asObject(params)));
  client.setRequestHandler("sampling/createMessage", accepting, (params) => asking().sample(asObject(params)));
  client.setRequestHandler("roots/list", accepting, () => asking().roots());
}

function passLog({ level, data, logger }: JsonObject, context: McpCallContext | undefined): void {
  const known = LOGGING_LEVELS.find((each) => each === level);
  if (known !== undefined) context?.log(known, data ?? null, typeof logger === "string" ? logger : undefined);
}

/** Takes whatever came: a proxy shows its clients what the server said, not what it should have said. */
const ANYTHING = {
  "~standard": { version: 1, vendor: "mcp-fakes", validate: (value: unknown) => ({ value }) },
} as const;

/** Marks of the era that the server was spoken to in; the mock's own wires make those of its client's era. */
function withoutEra({ resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...result }: JsonObject): JsonObject {
  return result;
}

function toRpcError(error: unknown): RpcError {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "number") {
    return { code: RPC.internalError, message: thrownText(error) };
  }
  const { message } = error;
  const data = "data" in error && error.data !== undefined ? { data: error.data as Json } : {}; // as it came over the wire
  return { code: error.code, message, ...data };
}

function identityOf(client: Client): { name: string; version: string } {
  const { name = "upstream", version = "0.0.0" } = client.getServerVersion() ?? {};
  return { name, version };
}

function asObject(value: unknown): JsonObject {
  const json = value as Json | undefined; // parsed from JSON by the client
  return json !== undefined && isJsonObject(json) ? json : {};
}
