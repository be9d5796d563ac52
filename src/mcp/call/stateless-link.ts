import { createDeferred } from "../../deferred.ts";
import type { Headers } from "../../http/exchange.ts";
import type { JsonObject } from "../../json.ts";
import type { Envelope } from "../era-stateless.ts";
import { type Answer, RPC, type RpcRequest, rpcError } from "../json-rpc.ts";
import type { StatelessVersion } from "../versions.ts";
import { ANSWER_SHAPES } from "./client-answers.ts";
import { type Ask, callError, capabilityFor, hasCapabilities, type Link, type Transport } from "./link.ts";
import { inputRequired, type Round } from "./rounds.ts";
import type { StateSeal } from "./state-seal.ts";

export interface StatelessLinkOptions {
  readonly request: RpcRequest;
  readonly version: StatelessVersion;
  readonly envelope: Envelope;
  readonly round: Round;
  readonly seal: StateSeal;
  readonly transport: Transport;
  readonly headers: Headers;
  send(text: string): void;
}

/** A link that the wire can cut: the client closed its stream, or said that it cancels. */
export interface StatelessLink extends Link {
  cancel(reason: string): void;
}

/**
 * A link in the era without sessions. A question that the client has not answered yet ends the call with
 * `input_required`; the client calls again with its answers, and the handler runs again from its start: what it asks
 * is then answered at once, and what it says up to there was said before.
 */
export function createStatelessLink(options: StatelessLinkOptions): StatelessLink {
  const { request, version, envelope, round, seal, send } = options;
  const controller = new AbortController();
  const interrupted = createDeferred<Answer>();
  const unasked = new Set(round.asked);
  const open: Ask[] = [];
  let carried = round.carried;
  let over = false;

  /** Questions that are asked together go out together. */
  function sendBack(): void {
    if (over) return;
    over = true;
    interrupted.resolve({ result: inputRequired(request, open, { round, carried, seal }) });
  }

  return {
    version,
    transport: options.transport,
    headers: options.headers,
    sessionId: null,
    clientInfo: envelope.clientInfo,
    clientCapabilities: envelope.capabilities,
    logLevel: envelope.logLevel,
    signal: controller.signal,
    interrupted: interrupted.promise,
    isRepeating: () => unasked.size > 0,
    carried: round.carried,
    carry(state) {
      carried = state;
    },
    notify(method, params) {
      // What was said in an earlier round is not said again.
      if (!over && unasked.size === 0) send(JSON.stringify({ jsonrpc: "2.0", method, params }));
    },
    ask(ask) {
      const needed = capabilityFor(ask);
      if (!hasCapabilities(envelope.capabilities, needed)) return Promise.reject(undeclared(ask, needed));
      const answer = round.answers.get(ask.key);
      unasked.delete(ask.key);
      if (answer !== undefined && ANSWER_SHAPES[ask.method](answer)) return Promise.resolve(answer);
      if (open.push(ask) === 1) setImmediate(sendBack);
      // Never settles: the call goes on in its next round.
      return new Promise(() => {});
    },
    closeStream() {},
    cancel(reason) {
      over = true;
      interrupted.resolve({ cancelled: reason });
      controller.abort(callError(`The call was cancelled: ${reason}`));
    },
  };
}

function undeclared(ask: Ask, requiredCapabilities: JsonObject): Error {
  const message = `${ask.method} needs a capability that the client did not declare: ${JSON.stringify(requiredCapabilities)}`;
  return callError(message, rpcError(RPC.missingCapability, message, { requiredCapabilities }).error);
}
