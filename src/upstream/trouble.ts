import type { Json } from "../json.ts";
import type { RpcError } from "../mcp/json-rpc.ts";
import { reasonText } from "../text.ts";
import type { UpstreamConfig } from "./schema.ts";
import { nameOf } from "./transport.ts";

/** The error that a server answered with, as it came; `null` when it is none of the server's. */
export function refusalOf(error: unknown): RpcError | null {
  // An aborted request's error has a number too.
  if (!(error instanceof Error) || error instanceof DOMException) return null;
  if (!("code" in error) || typeof error.code !== "number") return null;
  const { code, message } = error;
  return "data" in error && error.data !== undefined
    ? { code, message, data: error.data as Json } // as it came over the wire
    : { code, message };
}

/** Whether the server knows the session no longer, or was not there to hear of it: the next call needs a new one. */
export function losesSession(config: UpstreamConfig, error: unknown): boolean {
  if ("command" in config || !(error instanceof Error)) return false;
  return "status" in error ? error.status === 404 : error.name === "TypeError";
}

/** A server that no connection could be made to. */
export class UnreachableError extends Error {
  /** Whether the server was there, and ended before the connection stood. */
  readonly hasEnded: boolean;

  constructor(config: UpstreamConfig, cause: unknown, printed: string) {
    const next = "url" in config ? "See that it runs there" : "See that this command starts an MCP server";
    super(
      `The upstream server (${nameOf(config)}) cannot be reached: ${reasonText(cause)}. ${next}.${shown(printed)}`,
      {
        cause,
      },
    );
    this.hasEnded = cause instanceof Error && "code" in cause && ENDED_CODES.includes(cause.code);
  }
}

/** A call that got no answer of the server's. */
export function unansweredError(
  config: UpstreamConfig,
  { method, cause, printed, hasEnded }: { method: string; cause: unknown; printed: string; hasEnded: boolean },
): Error {
  const name = `The upstream server (${nameOf(config)})`;
  return new Error(
    hasEnded && "command" in config
      ? `${name} ended during the call; the next call starts it again.${shown(printed)}`
      : `${name} gave no answer to ${method}: ${reasonText(cause)}. See that it runs, and call again.${shown(printed)}`,
    { cause },
  );
}

// --- internal ---

/** The codes of connections that ended before they stood. */
const ENDED_CODES: readonly unknown[] = ["ERA_NEGOTIATION_FAILED", "CONNECTION_CLOSED", "EPIPE"];

function shown(printed: string): string {
  return printed.trim() === "" ? "" : ` It printed:\n${printed.trim()}`;
}
