import { isJsonObject } from "../../json.ts";
import { lazy } from "../../lazy.ts";
import type { Caller } from "../call/caller.ts";
import { readRound } from "../call/rounds.ts";
import { createStateSeal } from "../call/state-seal.ts";
import { createStatelessLink } from "../call/stateless-link.ts";
import { noted } from "../endpoint.ts";
import {
  type Answer,
  answerText,
  isFaulty,
  type RpcError,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
  SUBSCRIBED,
} from "../json-rpc.ts";
import { faultLine } from "./fault-reply.ts";
import { targetAsked } from "./http-replies.ts";
import type { Arrived, PipeDependencies, PipeEnds } from "./pipe.ts";

/** The messages of the era without sessions on a connection that carries them both ways (MCP 2026-07-28, stdio). */
export interface StatelessPipe {
  /** The promise of an answer that is still to come; `undefined` when all is said. */
  receive(
    message: Extract<RpcMessage, { kind: "request" | "notification" }>,
    arrived: Pick<Arrived, "note">,
  ): Promise<void> | undefined;
  /** Cancels what is open. */
  close(): void;
}

export function createStatelessPipe(
  { endpoint, statelessEra: era, subscriptions }: PipeDependencies,
  { transport, mount, identity, headers, send, ended }: PipeEnds,
): StatelessPipe {
  const seal = createStateSeal();
  /** How each open call and subscription is ended, by the id of its request. */
  const open = new Map<RpcId, (reason: string) => void>();

  function request(request: RpcRequest, note: Arrived["note"]): Promise<void> | undefined {
    const reading = era.readEnvelope(request.params);
    if (!reading.ok) return refuse(request, reading.error, note);
    const { envelope } = reading;
    const version = era.findVersion(envelope.version);
    if (typeof version !== "string") return refuse(request, version, note);
    const round = readRound(request, seal);
    if (!round.ok) return refuse(request, round.error, note);
    const client = typeof envelope.clientInfo?.name === "string" ? envelope.clientInfo.name : null;
    const caller: Caller = {
      identity,
      mount,
      client,
      session: null,
      note,
      onLost() {},
      link: lazy(() => {
        const asked = { request, version, envelope, round: round.round, seal };
        const link = createStatelessLink({ ...asked, transport, headers, send });
        open.set(request.id, link.cancel);
        return link;
      }),
    };
    if (request.method === "subscriptions/listen") return subscribe(request, caller);
    const answer = endpoint.answer(request, caller);
    if (!(answer instanceof Promise)) return say(request, answer);
    return answer.then((settled) => {
      open.delete(request.id);
      say(request, settled);
    });
  }

  function say(request: RpcRequest, answer: Answer): undefined {
    if ("cancelled" in answer) return;
    const text = era.encode(request, answer);
    if (answer.fault === undefined) return void send(text);
    const { line, ends } = faultLine({ text, fault: answer.fault });
    if (line !== null) send(line);
    if (ends) ended();
  }

  function subscribe(request: RpcRequest, caller: Caller): Promise<void> | undefined {
    const answer = endpoint.spoil(request, caller, () => SUBSCRIBED) ?? SUBSCRIBED;
    const settle = (settled: Answer) =>
      isFaulty(settled) ? say(request, noted(request, caller, settled)) : listen(request, caller.note);
    return answer instanceof Promise ? answer.then(settle) : settle(answer);
  }

  function listen(request: RpcRequest, note: Arrived["note"]): undefined {
    const reading = subscriptions.read(request);
    if (!reading.ok) return refuse(request, reading.error, note);
    const subscription = subscriptions.open({
      id: request.id,
      filter: reading.filter,
      identity,
      send,
      ended: (result) => send(era.encode(request, { result })),
    });
    open.set(request.id, () => subscription.close());
    return undefined;
  }

  function refuse(request: RpcRequest, error: RpcError, note: Arrived["note"]): undefined {
    note({ service: "mcp", identity, body: null, refused: { reason: error.message, asked: targetAsked(request) } });
    send(answerText(request.id, { error }));
    return undefined;
  }

  function end(id: RpcId, reason: string): void {
    open.get(id)?.(reason);
    open.delete(id);
  }

  return {
    receive(message, { note }) {
      if (message.kind === "request") return request(message, note);
      const { requestId, reason } = isJsonObject(message.params) ? message.params : {};
      const isCancel = message.method === "notifications/cancelled";
      if (isCancel && (typeof requestId === "string" || typeof requestId === "number")) {
        end(requestId, typeof reason === "string" ? reason : "the client gave no reason");
      }
      note({
        service: "mcp",
        identity,
        body: null,
        mcp: { method: message.method, params: message.params ?? null, mount, client: null },
      });
      return undefined;
    },
    close() {
      for (const id of [...open.keys()]) end(id, "the client closed its connection");
    },
  };
}
