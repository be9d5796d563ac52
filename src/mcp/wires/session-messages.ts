import type { Fault } from "../../fakes/fault.ts";
import { isJsonObject, type Json } from "../../json.ts";
import type { Caller } from "../call/caller.ts";
import type { Endpoint } from "../endpoint.ts";
import type { Session } from "../era-session.ts";
import { type Answer, answerText, RPC, type RpcId, type RpcMessage, rpcError } from "../json-rpc.ts";

/** What answers a message: its text, or the text that a fault keeps from arriving as it is. */
export type Said = string | { readonly text: string; readonly fault: Fault };

/**
 * Takes one message of a session, whatever its wire: the text that answers it, or `undefined` for what is not answered
 * (notifications, responses, calls that were cancelled).
 */
export function receiveInSession(
  message: RpcMessage,
  caller: Caller & { readonly session: Session },
  endpoint: Endpoint,
): Said | undefined | Promise<Said | undefined> {
  switch (message.kind) {
    case "request": {
      const answer = endpoint.answer(message, caller);
      if (!(answer instanceof Promise)) return saidOf(message.id, answer);
      return answer.then((settled) => {
        caller.session.calls.delete(message.id);
        return saidOf(message.id, settled);
      });
    }
    case "notification":
      noteUnanswered(caller, message.method, message.params ?? null);
      take(message, caller, endpoint);
      return undefined;
    case "response":
      noteUnanswered(caller, "response", message.raw);
      caller.session.answered(message.raw);
      return undefined;
    case "invalid":
      return answerText(null, rpcError(RPC.invalidRequest, `Invalid Request: ${message.why}`));
  }
}

/** What an answer says to the client. */
export function saidOf(id: RpcId, answer: Answer): Said | undefined {
  if ("cancelled" in answer) return undefined;
  const text = answerText(id, answer);
  return answer.fault === undefined ? text : { text, fault: answer.fault };
}

type Notification = Extract<RpcMessage, { kind: "notification" }>;

function take(message: Notification, caller: Caller & { readonly session: Session }, endpoint: Endpoint): void {
  const { session } = caller;
  switch (message.method) {
    case "notifications/initialized":
      session.initialized = true;
      endpoint.notice(message, caller);
      return;
    case "notifications/cancelled": {
      const { requestId, reason } = isJsonObject(message.params) ? message.params : {};
      if (typeof requestId !== "string" && typeof requestId !== "number") return;
      session.calls.get(requestId)?.(typeof reason === "string" ? reason : "the client gave no reason");
      return;
    }
    default:
      endpoint.notice(message, caller);
  }
}

function noteUnanswered({ note, identity, mount, client }: Caller, method: string, params: Json): void {
  note({ service: "mcp", identity, body: null, mcp: { method, params, mount, client } });
}
