import type { Json } from "../../json.ts";
import { claimOf, type StatelessEra } from "../era-stateless.ts";
import { RPC, type RpcError, type RpcMessage, rpcError } from "../json-rpc.ts";
import { STATELESS_VERSIONS } from "../versions.ts";

/** Which era a POST is of, or why it is of none. */
export type Route = "session" | "stateless" | { readonly status: number; readonly error: RpcError };

export interface Eras {
  readonly stateless: StatelessEra;
  /** False when the server is pinned to revisions without sessions. */
  readonly servesSessions: boolean;
}

/**
 * Tells the eras apart by what a message says of itself; the version header only decides for what cannot say it
 * (MCP 2026-07-28, Versioning). A message that says nothing is of a session.
 */
export function routeOf(message: RpcMessage, versionHeader: string | undefined, eras: Eras): Route {
  if (!eras.stateless.served) return "session";
  switch (message.kind) {
    case "invalid":
      return { status: 400, ...rpcError(RPC.invalidRequest, `Invalid Request: ${message.why}`) };
    case "response":
      return eras.servesSessions
        ? "session"
        : { status: 400, ...rpcError(RPC.invalidRequest, "Invalid Request: this server asks no client anything") };
    case "notification":
      return isClaimed(message.params) || isStateless(versionHeader) || !eras.servesSessions ? "stateless" : "session";
    case "request":
      return routeRequest(message, versionHeader, eras);
  }
}

/** A batch is of a session, unless one of its elements claims not to be. */
export function routeBatch(messages: readonly RpcMessage[], { stateless, servesSessions }: Eras): Route {
  const isOfSession =
    servesSessions && !(stateless.served && messages.some((each) => "params" in each && isClaimed(each.params)));
  return isOfSession
    ? "session"
    : { status: 400, ...rpcError(RPC.invalidRequest, "Invalid Request: send one message, not a batch") };
}

function routeRequest(
  { method, params }: { readonly method: string; readonly params: Json | undefined },
  versionHeader: string | undefined,
  { stateless, servesSessions }: Eras,
): Route {
  if (isClaimed(params)) {
    const reading = method === "initialize" ? stateless.readEnvelope(params) : undefined;
    const isHandshake =
      reading !== undefined && !(reading.ok && typeof stateless.findVersion(reading.envelope.version) === "string");
    return isHandshake && servesSessions ? "session" : "stateless";
  }
  if (isStateless(versionHeader) && method !== "initialize") return "stateless";
  if (servesSessions) return "session";
  const asked = versionOfInitialize(params) ?? versionHeader;
  const found = asked === undefined ? undefined : stateless.findVersion(asked);
  return typeof found === "object" ? { status: 400, error: found } : "stateless";
}

function isClaimed(params: Json | undefined): boolean {
  return claimOf(params) !== undefined;
}

function isStateless(versionHeader: string | undefined): boolean {
  return STATELESS_VERSIONS.some((version) => version === versionHeader);
}

function versionOfInitialize(params: Json | undefined): string | undefined {
  const version =
    typeof params === "object" && params !== null && !Array.isArray(params) ? params.protocolVersion : undefined;
  return typeof version === "string" ? version : undefined;
}
