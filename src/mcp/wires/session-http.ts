import { type Exchange, jsonReply, jsonTextReply, type Reply } from "../../http/exchange.ts";
import { withSession } from "../../identity.ts";
import type { Logger } from "../../logger.ts";
import type { Caller } from "../call/caller.ts";
import type { Link } from "../call/link.ts";
import { createSessionLink } from "../call/session-link.ts";
import { type Endpoint, noted } from "../endpoint.ts";
import type { Session, SessionEra } from "../era-session.ts";
import { type Answer, RPC, type RpcId, type RpcMessage, type RpcRequest } from "../json-rpc.ts";
import { isSince, SESSION_VERSIONS } from "../versions.ts";
import { faultReply } from "./fault-reply.ts";
import { type Arrival, accepted, identityOf, journaled, refuse } from "./http-replies.ts";
import { createOutlet, type Outlet } from "./outlet.ts";
import { createSessionLanes, type SessionLanes } from "./session-lanes.ts";
import { receiveInSession, type Said, saidOf } from "./session-messages.ts";

export interface SessionHttpDependencies {
  readonly endpoint: Endpoint;
  readonly era: SessionEra;
  logger(): Logger;
  /** Whether any fake is loaded: without one, an identity that does not decode is nobody's trouble. */
  hasFakes(): boolean;
}

/** Answers the requests of sessions (MCP 2025-03-26 to 2025-11-25, Transports, Streamable HTTP). */
export interface SessionHttp {
  post(messages: readonly RpcMessage[], arrival: Arrival, batch: boolean): Reply | Promise<Reply>;
  /** Opens the stream of what belongs to no call, or takes up one whose connection was lost. */
  get(exchange: Exchange): Reply;
  /** Ends a session. */
  delete(exchange: Exchange): Reply;
}

export function createSessionHttp({ endpoint, era, logger, hasFakes }: SessionHttpDependencies): SessionHttp {
  const lanesOf = new WeakMap<Session, SessionLanes>();

  function post(messages: readonly RpcMessage[], arrival: Arrival, batch: boolean): Reply | Promise<Reply> {
    const { exchange, identity } = arrival;
    const initialize = messages.find(isInitialize);
    if (initialize?.kind === "request") {
      if (!batch && exchange.headers["mcp-session-id"] === undefined) return handshake(initialize, arrival);
      const text = "Invalid Request: initialize stands alone, and comes once";
      return journaled(exchange, identity, refuse(400, RPC.invalidRequest, text));
    }
    const session = findSession(exchange);
    if ("status" in session) return journaled(exchange, identity, session);
    warnUndecoded(session, arrival.undecoded);
    const known = withSession(identity, session.identity);
    const inSession = known === identity ? arrival : { ...arrival, identity: known };
    const unfit = findUnfit(messages, session, batch);
    if (unfit !== undefined) return journaled(exchange, inSession.identity, unfit);
    const [message] = messages;
    return batch || message === undefined
      ? answerAll(messages, session, inSession)
      : answerOne(message, session, inSession);
  }

  function handshake(request: RpcRequest, arrival: Arrival): Reply | Promise<Reply> {
    const { session, answer } = era.open(request, { identity: arrival.identity, transport: "streamable-http" });
    const lanes = createSessionLanes(isSince(session.version, "2025-11-25"));
    lanesOf.set(session, lanes);
    session.carrier = { push: lanes.main.send, ended: lanes.endAll };
    const caller = toCaller(session, arrival, outletOf);
    const welcome = (settled: Answer) => {
      const said = saidOf(request.id, noted(request, caller, settled));
      if (typeof said === "string") return jsonTextReply(200, said, { "mcp-session-id": session.id });
      // What goes wrong on purpose opens no session: its client never learns of one.
      era.close(session.id, "its handshake went wrong, on purpose");
      return said === undefined ? accepted() : replyOf(said, session);
    };
    const made = endpoint.spoil(request, caller, () => answer) ?? answer;
    return made instanceof Promise ? made.then(welcome) : welcome(made);
  }

  function answerOne(message: RpcMessage, session: Session, arrival: Arrival): Reply | Promise<Reply> {
    const caller = toCaller(session, arrival, outletOf, idOf(message));
    const said = receiveInSession(message, caller, endpoint);
    if (said === undefined) return accepted();
    if (!(said instanceof Promise)) return replyOf(said, session);
    const { outlet } = caller;
    if (outlet === null)
      return said.then((settled) => (settled === undefined ? accepted() : replyOf(settled, session)));
    said.then(
      (settled) => {
        if (typeof settled === "object") return outlet.spoil(() => replyOf(settled, session));
        if (settled !== undefined) outlet.answer(settled);
        outlet.finish(([only = ""]) => jsonTextReply(200, only));
      },
      (error) => outlet.fail(error),
    );
    return outlet.reply;
  }

  function replyOf(said: Said, session: Session): Reply {
    if (typeof said === "string") return jsonTextReply(200, said);
    return faultReply({ ...said, expire: () => void era.close(session.id, "the session has expired, on purpose") });
  }

  /** One by one, in order: a batch claims its fakes as its elements stand. */
  function answerAll(messages: readonly RpcMessage[], session: Session, arrival: Arrival): Reply | Promise<Reply> {
    const outlet = outletOf(session);
    const isAnswered = messages.some(({ kind }) => kind === "request" || kind === "invalid");
    const receiveAll = async () => {
      for (const message of messages) {
        const said = await receiveInSession(
          message,
          toCaller(session, arrival, () => outlet, idOf(message)),
          endpoint,
        );
        if (typeof said === "object") return outlet.spoil(() => replyOf(said, session));
        if (said !== undefined) outlet.answer(said);
      }
      outlet.finish((texts) => jsonTextReply(200, `[${texts.join(",")}]`));
    };
    receiveAll().catch(outlet.fail);
    return isAnswered ? outlet.reply : accepted();
  }

  function outletOf(session: Session): Outlet {
    // Every session of this wire has its lanes from its handshake on.
    return createOutlet(() => lanesOf.get(session)?.open() ?? createSessionLanes(false).open());
  }

  function get(exchange: Exchange): Reply {
    // Some clients ask for a stream before they have a session; 405 is the one refusal that none of them reports.
    if (exchange.headers["mcp-session-id"] === undefined)
      return journaled(exchange, identityOf(exchange), methodNotAllowed());
    if (exchange.headers.accept?.includes("text/event-stream") !== true) {
      const text = "Not Acceptable: a stream is asked for with Accept: text/event-stream";
      return journaled(exchange, identityOf(exchange), refuse(406, RPC.serverError, text));
    }
    const session = findSession(exchange);
    if ("status" in session) return journaled(exchange, identityOf(exchange), session);
    return journaled(exchange, session.identity, openStream(session, exchange.headers["last-event-id"]));
  }

  function openStream(session: Session, lastEventId: string | undefined): Reply {
    const lanes = lanesOf.get(session) ?? createSessionLanes(false);
    const resumed = lastEventId === undefined ? undefined : lanes.find(lastEventId);
    if (lastEventId !== undefined && resumed === undefined) {
      const text = `Bad Request: Last-Event-ID ${JSON.stringify(lastEventId)} names no event of this session`;
      return refuse(400, RPC.serverError, text);
    }
    if (resumed === undefined && lanes.main.attached) {
      return refuse(409, RPC.serverError, "Conflict: this session has its stream already");
    }
    return {
      status: 200,
      headers: { "mcp-session-id": session.id },
      stream(sink) {
        sink.comment("open");
        if (resumed === undefined) lanes.main.attach(sink);
        else resumed.lane.attach(sink, resumed.event);
      },
    };
  }

  function endSession(exchange: Exchange): Reply {
    const session = findSession(exchange);
    if ("status" in session) return journaled(exchange, null, session);
    era.close(session.id, "the client ended its session");
    return journaled(exchange, session.identity, jsonReply(200, { ok: true }));
  }

  function findSession(exchange: Exchange): Session | Reply {
    const id = exchange.headers["mcp-session-id"];
    if (id === undefined) {
      return refuse(
        400,
        RPC.serverError,
        "Bad Request: the Mcp-Session-Id header is missing; send initialize first and repeat the id that it answers",
      );
    }
    const session = era.get(id);
    // Sessions of other wires are none of this one's.
    if (session === undefined || !lanesOf.has(session)) return refuse(404, RPC.sessionNotFound, "Session not found");
    const version = exchange.headers["mcp-protocol-version"];
    if (version === undefined || SESSION_VERSIONS.some((known) => known === version)) return session;
    const supported = SESSION_VERSIONS.join(", ");
    return refuse(
      400,
      RPC.serverError,
      `Bad Request: unsupported MCP-Protocol-Version ${JSON.stringify(version)}; supported: ${supported}`,
    );
  }

  function warnUndecoded(session: Session, undecoded: readonly string[]): void {
    if (undecoded.length === 0 || !hasFakes()) return;
    for (const where of undecoded) {
      if (session.warned.has(where)) continue;
      session.warned.add(where);
      logger().warn(
        `the ${where} is not valid percent-encoding and is used as sent; encode it with encodeURIComponent`,
      );
    }
  }

  return { post, get, delete: endSession };
}

/** What a verb gets that this server does not take. */
export function methodNotAllowed(allow = "GET, POST, DELETE"): Reply {
  const text = `Method not allowed: use ${allow === "POST" ? "POST" : "POST, GET with a session, or DELETE"}`;
  return refuse(405, RPC.serverError, text, { headers: { allow } });
}

interface SessionCaller extends Caller {
  readonly session: Session;
  /** Where its messages go; `null` until it has any. */
  outlet: Outlet | null;
}

function toCaller(
  session: Session,
  { exchange, mount, identity }: Arrival,
  openOutlet: (session: Session) => Outlet,
  id: RpcId = null,
): SessionCaller {
  // Every call makes one of these, and few use the rest of it: no more than two functions, and nothing behind them yet.
  let link: Link | null = null;
  const caller: SessionCaller = {
    identity,
    mount,
    client: session.client,
    session,
    outlet: null,
    note: exchange.note,
    onLost(listener) {
      exchange.onAbort(() => {
        // A session's stream can be resumed: what it carries is not lost with its connection.
        if (caller.outlet?.isStream() !== true) listener();
      });
    },
    link() {
      if (link !== null) return link;
      caller.outlet = openOutlet(session);
      const { send, detach } = caller.outlet;
      link = createSessionLink({ session, id, headers: exchange.headers, send, closeStream: detach });
      return link;
    },
  };
  return caller;
}

function isInitialize(message: RpcMessage): message is RpcMessage & { readonly method: "initialize" } {
  return "method" in message && message.method === "initialize";
}

function idOf(message: RpcMessage): RpcId {
  return message.kind === "request" ? message.id : null;
}

function findUnfit(messages: readonly RpcMessage[], session: Session, batch: boolean): Reply | undefined {
  if (batch && !session.takesBatches) {
    const text = `Invalid Request: no batches are taken in MCP ${session.version}; send one message`;
    return refuse(400, RPC.invalidRequest, text);
  }
  if (messages.length === 0) return refuse(400, RPC.invalidRequest, "Invalid Request: the batch is empty");
  const [only] = messages;
  if (!batch && only?.kind === "invalid") return refuse(400, RPC.invalidRequest, `Invalid Request: ${only.why}`);
  const early = session.initialized
    ? undefined
    : messages.find((message) => message.kind === "request" && message.method !== "ping");
  if (early?.kind !== "request") return undefined;
  const text = "Session not initialized: send notifications/initialized first";
  return refuse(400, RPC.notInitialized, text, { id: batch ? null : early.id });
}
