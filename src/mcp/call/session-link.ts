import { createDeferred } from "../../deferred.ts";
import type { Headers } from "../../http/exchange.ts";
import type { JsonObject } from "../../json.ts";
import type { Session } from "../era-session.ts";
import type { Answer, RpcId } from "../json-rpc.ts";
import { isSince } from "../versions.ts";
import { type Ask, callError, capabilityFor, hasCapabilities, type Link } from "./link.ts";

export interface SessionLinkOptions {
  readonly session: Session;
  /** The request that is being answered. */
  readonly id: RpcId;
  readonly headers: Headers;
  /** Sends one message to the client on the call's own stream. */
  send(text: string): void;
  closeStream(retryMs: number): void;
}

/** A link in the era of sessions: questions are JSON-RPC requests of the server's, whose answers come later. */
export function createSessionLink({ session, id, headers, send, closeStream }: SessionLinkOptions): Link {
  const controller = new AbortController();
  const interrupted = createDeferred<Answer>();
  const open = new Set<(error: Error) => void>();

  if (id !== null)
    session.calls.set(id, (reason) => {
      const error = callError(`The call was cancelled: ${reason}`);
      interrupted.resolve({ cancelled: reason });
      controller.abort(error);
      for (const reject of open) reject(error);
    });

  return {
    version: session.version,
    transport: session.transport,
    headers,
    sessionId: session.id,
    clientInfo: session.clientInfo,
    clientCapabilities: session.capabilities,
    logLevel: session.logLevel,
    signal: controller.signal,
    interrupted: interrupted.promise,
    isRepeating: () => false,
    carried: null,
    carry() {},
    notify: (method, params) => send(JSON.stringify({ jsonrpc: "2.0", method, params })),
    ask(ask) {
      const refusal = refusalOf(session, ask);
      if (refusal !== null) return Promise.reject(callError(refusal));
      const { promise, resolve, reject } = createDeferred<JsonObject>();
      open.add(reject);
      const asked = session.ask({ resolve, reject });
      send(JSON.stringify({ jsonrpc: "2.0", id: asked, method: ask.method, params: ask.params }));
      return promise.finally(() => open.delete(reject));
    },
    closeStream,
  };
}

/** A server must not ask for what the client did not declare, nor for what its revision does not have. */
function refusalOf({ version, capabilities }: Session, ask: Ask): string | null {
  if (ask.method === "elicitation/create") {
    const first = ask.params.mode === "url" ? "2025-11-25" : "2025-06-18";
    if (!isSince(version, first)) {
      return `MCP ${version} has no ${ask.params.mode === "url" ? "URL " : ""}elicitation: it came with ${first}`;
    }
  }
  const needed = capabilityFor(ask);
  if (hasCapabilities(capabilities, needed)) return null;
  return `The client cannot be sent ${ask.method}: it did not declare the capability ${JSON.stringify(needed)} at initialize`;
}
