import { type Headers, jsonTextReply, type Reply } from "../../http/exchange.ts";
import type { Identity } from "../../identity.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { lazy } from "../../lazy.ts";
import type { Caller } from "../call/caller.ts";
import { type Round, readRound } from "../call/rounds.ts";
import { createStateSeal } from "../call/state-seal.ts";
import { createStatelessLink } from "../call/stateless-link.ts";
import { type Endpoint, noted } from "../endpoint.ts";
import type { Envelope, StatelessEra } from "../era-stateless.ts";
import {
  type Answer,
  isFaulty,
  RPC,
  type RpcError,
  type RpcNotification,
  type RpcRequest,
  rpcError,
  type SentAnswer,
  SUBSCRIBED,
} from "../json-rpc.ts";
import type { Subscriptions } from "../subscriptions.ts";
import type { StatelessVersion } from "../versions.ts";
import { faultReply } from "./fault-reply.ts";
import { type Arrival, accepted, journaled, noteMessage, refusal } from "./http-replies.ts";
import { createLane } from "./lane.ts";
import { findNameMismatch, findParamMismatch } from "./mirror-headers.ts";
import { createOutlet, type Outlet } from "./outlet.ts";

export interface StatelessHttpDependencies {
  readonly endpoint: Endpoint;
  readonly era: StatelessEra;
  readonly subscriptions: Subscriptions;
  /** The input schema that a client sees for a tool. */
  schemaOf(tool: string, identity: Identity): JsonObject | undefined;
}

/** Answers the POSTs of the era without sessions (MCP 2026-07-28, Transports). */
export interface StatelessHttp {
  request(request: RpcRequest, arrival: Arrival): Reply | Promise<Reply>;
  notification(notification: RpcNotification, arrival: Arrival): Reply;
}

/** A request that passed all checks. */
interface Call {
  readonly request: RpcRequest;
  readonly arrival: Arrival;
  readonly envelope: Envelope;
  readonly version: StatelessVersion;
  readonly round: Round;
}

export function createStatelessHttp({
  endpoint,
  era,
  subscriptions,
  schemaOf,
}: StatelessHttpDependencies): StatelessHttp {
  const seal = createStateSeal();

  /** The order of the checks is the specification's: which error a request with two faults gets can be observed. */
  function request(request: RpcRequest, arrival: Arrival): Reply | Promise<Reply> {
    const { exchange, identity } = arrival;
    const refuse = (status: number, error: RpcError) => journaled(exchange, identity, refusal(status, error, request));
    const { headers } = exchange;
    const reading = era.readEnvelope(request.params);
    if (!reading.ok) return refuse(400, reading.error);
    const { envelope } = reading;
    const disagreement = findDisagreement(request, envelope, headers);
    if (disagreement !== undefined) return refuse(400, mismatch(disagreement));
    const version = era.findVersion(envelope.version);
    if (typeof version !== "string") return refuse(400, version);
    const gap =
      headers["mcp-protocol-version"] === undefined
        ? "the MCP-Protocol-Version header is missing"
        : findNameMismatch(request, headers);
    if (gap !== undefined) return refuse(400, mismatch(gap));
    const params = isJsonObject(request.params) ? request.params : {};
    const schema = request.method === "tools/call" ? schemaOf(String(params.name), identity) : undefined;
    const differing = schema === undefined ? undefined : findParamMismatch(schema, params.arguments, headers);
    if (differing !== undefined) return refuse(400, mismatch(differing));
    const round = readRound(request, seal);
    if (!round.ok) return refuse(200, round.error);
    const call = { request, arrival, envelope, version, round: round.round };
    return request.method === "subscriptions/listen" ? listen(call) : dispatch(call);
  }

  function listen(call: Call): Reply | Promise<Reply> {
    const { request } = call;
    const caller = toCaller(call, { outlet: null });
    const answer = endpoint.spoil(request, caller, () => SUBSCRIBED) ?? SUBSCRIBED;
    const open = (settled: Answer) =>
      isFaulty(settled) ? toReply(request, noted(request, caller, settled)) : subscribe(call);
    return answer instanceof Promise ? answer.then(open) : open(answer);
  }

  function dispatch(call: Call): Reply | Promise<Reply> {
    const { request } = call;
    const made: { outlet: Outlet | null } = { outlet: null };
    const answer = endpoint.answer(request, toCaller(call, made));
    if (!(answer instanceof Promise)) return toReply(request, answer);
    const { outlet } = made;
    if (outlet === null) return answer.then((settled) => toReply(request, settled));
    answer.then(
      (settled) => {
        if ("cancelled" in settled) return outlet.finish(accepted);
        if (settled.fault !== undefined) return outlet.spoil(() => toReply(request, settled));
        outlet.answer(era.encode(request, settled));
        outlet.finish(([text = ""]) => jsonTextReply(statusOf(settled), text));
      },
      (error) => outlet.fail(error),
    );
    return outlet.reply;
  }

  function toCaller(call: Call, made: { outlet: Outlet | null }): Caller {
    const { request, arrival, envelope, version, round } = call;
    const { exchange, mount, identity } = arrival;
    const client = typeof envelope.clientInfo?.name === "string" ? envelope.clientInfo.name : null;
    return {
      identity,
      mount,
      client,
      session: null,
      note: exchange.note,
      onLost: exchange.onAbort,
      link: lazy(() => {
        const outlet = createOutlet(() => createLane({ name: null, prime: false }));
        made.outlet = outlet;
        const { headers } = exchange;
        const { send } = outlet;
        const wire = { transport: "streamable-http", headers, send } as const;
        const link = createStatelessLink({ request, version, envelope, round, seal, ...wire });
        // In this era, a client that closes its connection cancels (MCP 2026-07-28, Cancellation).
        exchange.onAbort(() => link.cancel("the client closed its connection"));
        return link;
      }),
    };
  }

  function toReply(request: RpcRequest, answer: Answer): Reply {
    if ("cancelled" in answer) return accepted();
    const text = era.encode(request, answer);
    // This era has no session that could expire.
    if (answer.fault !== undefined) return faultReply({ fault: answer.fault, text, expire() {} });
    return jsonTextReply(statusOf(answer), text);
  }

  function subscribe({ request, arrival }: Call): Reply {
    const { exchange, mount, identity } = arrival;
    const reading = subscriptions.read(request);
    if (!reading.ok) return journaled(exchange, identity, refusal(200, reading.error, request));
    noteMessage(
      { exchange, mount, identity },
      { method: request.method, params: request.params ?? null, client: null },
    );
    return {
      status: 200,
      headers: {},
      stream(sink) {
        const subscription = subscriptions.open({
          id: request.id,
          filter: reading.filter,
          identity,
          send: (text) => sink.send({ event: "message", data: text }),
          ended(result) {
            sink.send({ event: "message", data: era.encode(request, { result }) });
            sink.close();
          },
        });
        sink.onClose(() => subscription.close());
      },
    };
  }

  return {
    request,
    notification({ method, params }, arrival) {
      noteMessage(arrival, { method, params: params ?? null, client: null });
      return accepted();
    },
  };
}

/** What headers say of the body, where they say anything. */
function findDisagreement({ method }: RpcRequest, { version }: Envelope, headers: Headers): string | undefined {
  const told = headers["mcp-protocol-version"];
  if (told !== undefined && told.trim() !== version) {
    return `the MCP-Protocol-Version header says ${JSON.stringify(told)}, params._meta ${JSON.stringify(version)}`;
  }
  const named = headers["mcp-method"];
  if (named === undefined || named.trim() === method) return undefined;
  return `the Mcp-Method header says ${JSON.stringify(named)}, the body ${JSON.stringify(method)}`;
}

function mismatch(what: string): RpcError {
  return rpcError(RPC.headerMismatch, `Header mismatch: ${what}`).error;
}

/** A method's own errors are answers like others; two say something of the request itself. */
function statusOf(answer: SentAnswer): number {
  if (!("error" in answer)) return 200;
  if (answer.error.code === RPC.methodNotFound) return 404;
  return answer.error.code === RPC.missingCapability ? 400 : 200;
}
