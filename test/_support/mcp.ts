import { type RawReply, send } from "./http.ts";

/** A client that speaks MCP by hand, so that a test can say exactly what goes over the wire. */
export interface RawClient {
  readonly sessionId: string;
  /** Sends one message (or a batch) in the session. */
  post(message: unknown, headers?: Record<string, string>): Promise<RawReply>;
  /** Calls a method and answers the whole JSON-RPC message. */
  request(method: string, params?: unknown, headers?: Record<string, string>): Promise<Message>;
  call(tool: string, args?: unknown, headers?: Record<string, string>): Promise<Message>;
}

export interface Message {
  readonly jsonrpc: "2.0";
  readonly id: number | string | null;
  readonly result?: Record<string, unknown>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly aimock: Record<string, unknown> };
  };
}

/** The text of a tool result's first content block. */
export function textOf({ result }: Message): string | undefined {
  const [first] = Array.isArray(result?.content) ? result.content : [];
  return first?.text;
}

export const MCP_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

export interface RawClientOptions {
  /** Sent with each request, `initialize` included. */
  readonly headers?: Record<string, string>;
  readonly protocolVersion?: string;
}

/** Opens a session: `initialize`, then `notifications/initialized`. */
export async function connect(
  url: string,
  { headers = {}, protocolVersion = "2025-11-25" }: RawClientOptions = {},
): Promise<RawClient> {
  let id = 0;
  const initialize = {
    jsonrpc: "2.0",
    id,
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "raw-client", version: "1.0.0" } },
  };
  const opened = await sendTo(url, initialize, headers);
  const sessionId = String(opened.headers["mcp-session-id"]);
  const post = (message: unknown, more: Record<string, string> = {}) =>
    sendTo(url, message, { ...headers, "mcp-session-id": sessionId, ...more });
  const request = async (method: string, params?: unknown, more: Record<string, string> = {}) =>
    (await post({ jsonrpc: "2.0", id: ++id, method, params }, more)).json() as Message;

  await post({ jsonrpc: "2.0", method: "notifications/initialized" });
  return {
    sessionId,
    post,
    request,
    call: (name, args, more) => request("tools/call", { name, arguments: args }, more),
  };
}

function sendTo(url: string, message: unknown, headers: Record<string, string>): Promise<RawReply> {
  return send(url, { method: "POST", headers: { ...MCP_HEADERS, ...headers }, body: JSON.stringify(message) });
}

/** The headers with which a request of 2026-07-28 repeats its body. */
function mirrorHeaders(method: string, params: Record<string, unknown> = {}): Record<string, string> {
  const name = params.name ?? params.uri;
  return {
    ...MCP_HEADERS,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(typeof name === "string" && ["tools/call", "prompts/get", "resources/read"].includes(method)
      ? { "mcp-name": name }
      : {}),
  };
}

/** What each request of 2026-07-28 says of its client. */
export function envelope(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    ...more,
  };
}

/** One request of 2026-07-28, by hand; `headers` go over those that repeat the body, `null` leaves one out. */
export function stateless(
  url: string,
  method: string,
  { params = {}, headers = {}, id = 1 }: StatelessRequest = {},
): Promise<RawReply> {
  const all = Object.entries({ ...mirrorHeaders(method, params), ...headers });
  const sent = all.filter((header): header is [string, string] => header[1] !== null);
  const body = JSON.stringify({ jsonrpc: "2.0", id, method, params: { _meta: envelope(), ...params } });
  return send(url, { method: "POST", headers: Object.fromEntries(sent), body });
}

export interface StatelessRequest {
  readonly params?: Record<string, unknown>;
  readonly headers?: Record<string, string | null>;
  readonly id?: string | number;
}
