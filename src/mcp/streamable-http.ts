import { type Exchange, jsonReply, jsonTextReply, type Reply } from "../http/exchange.ts";
import { type Identity, readIdentity, withSession } from "../identity.ts";
import type { Json } from "../json.ts";
import type { Limits } from "../limits.ts";
import type { Logger } from "../logger.ts";
import { parseJson } from "../parse-json.ts";
import { type Caller, type Endpoint, noted } from "./endpoint.ts";
import { allowsBatch, SESSION_VERSIONS, type Session, type SessionEra } from "./era-session.ts";
import { answerText, RPC, type RpcId, type RpcMessage, type RpcRequest, readMessage, rpcError } from "./json-rpc.ts";

export interface StreamableHttpDependencies {
  readonly endpoint: Endpoint;
  readonly era: SessionEra;
  logger(): Logger;
  limits(): Limits;
  /** Whether any fake is loaded: without one, an identity that does not decode is nobody's trouble. */
  hasFakes(): boolean;
}

/** Answers one HTTP request to an MCP mount (MCP 2025-03-26 to 2025-11-25, Transports, Streamable HTTP). */
export type StreamableHttp = (exchange: Exchange, mount: string) => Reply | Promise<Reply>;

const ACCEPTED = ["application/json", "text/event-stream"];

export function createStreamableHttp({
  endpoint,
  era,
  logger,
  limits,
  hasFakes,
}: StreamableHttpDependencies): StreamableHttp {
  const verbs: Record<string, StreamableHttp> = { POST: post, GET: openStream, DELETE: endSession };

  function post(exchange: Exchange, mount: string): Reply | Promise<Reply> {
    const reading = readIdentity(exchange);
    if (!reading.ok) return journaled(exchange, null, reading.reply);
    const sent = reading.identity;
    const unfit = findUnfitHeader(exchange);
    if (unfit !== undefined) return journaled(exchange, sent, unfit);
    const parsed = parseJson(exchange.body);
    if (!parsed.ok) {
      if (parsed.reason.kind === "depth") limits().hit("depth");
      const [code, title] =
        parsed.reason.kind === "syntax" ? [RPC.parseError, "Parse error"] : [RPC.invalidRequest, "Invalid Request"];
      return journaled(exchange, sent, errorReply(400, code, `${title}: ${parsed.reason.text}`));
    }
    const messages = Array.isArray(parsed.value) ? parsed.value.map(readMessage) : [readMessage(parsed.value)];
    const initialize = messages.find((message) => "method" in message && message.method === "initialize");
    if (initialize?.kind === "request") {
      return Array.isArray(parsed.value) || exchange.headers["mcp-session-id"] !== undefined
        ? journaled(
            exchange,
            sent,
            errorReply(400, RPC.invalidRequest, "Invalid Request: initialize stands alone, and comes once"),
          )
        : handshake(initialize, sent, { exchange, mount });
    }

    const found = findSession(exchange);
    if ("status" in found) return journaled(exchange, sent, found);
    warnUndecoded(found, reading.undecoded);
    const caller = toCaller(exchange, { mount, session: found, identity: withSession(sent, found.identity) });
    const unfitMessages = findUnfitMessage(messages, Array.isArray(parsed.value), found);
    if (unfitMessages !== undefined) return journaled(exchange, caller.identity, unfitMessages);
    return Array.isArray(parsed.value) ? answerBatch(messages, found, caller) : answerOne(messages[0], found, caller);
  }

  function handshake(
    request: RpcRequest,
    sent: Identity,
    { exchange, mount }: { exchange: Exchange; mount: string },
  ): Reply {
    const { session, answer } = era.open(request, sent);
    noted(request, toCaller(exchange, { mount, session, identity: sent }), answer);
    return jsonTextReply(200, answerText(request.id, answer), { "mcp-session-id": session.id });
  }

  function answerOne(message: RpcMessage | undefined, session: Session, caller: Caller): Reply | Promise<Reply> {
    if (message === undefined) return accepted();
    const text = toText(message, session, caller);
    if (text === undefined) return accepted();
    return text instanceof Promise ? text.then((settled) => jsonTextReply(200, settled)) : jsonTextReply(200, text);
  }

  /** One by one, in order: a batch claims its fakes as its elements stand. */
  async function answerBatch(messages: readonly RpcMessage[], session: Session, caller: Caller): Promise<Reply> {
    const texts: string[] = [];
    for (const message of messages) {
      const text = await toText(message, session, caller);
      if (text !== undefined) texts.push(text);
    }
    return texts.length === 0 ? accepted() : jsonTextReply(200, `[${texts.join(",")}]`);
  }

  function toText(message: RpcMessage, session: Session, caller: Caller): string | undefined | Promise<string> {
    switch (message.kind) {
      case "request": {
        const answer = endpoint.answer(message, caller);
        return answer instanceof Promise
          ? answer.then((settled) => answerText(message.id, settled))
          : answerText(message.id, answer);
      }
      case "notification":
        if (message.method === "notifications/initialized") session.initialized = true;
        else endpoint.notice(message);
        note(caller, message.method, message.params ?? null);
        return undefined;
      case "response":
        note(caller, "response", null);
        return undefined;
      case "invalid":
        return answerText(null, rpcError(RPC.invalidRequest, `Invalid Request: ${message.why}`));
    }
  }

  function openStream(exchange: Exchange): Reply {
    // Some clients ask for a stream before they have a session; 405 is the one refusal that none of them reports.
    if (exchange.headers["mcp-session-id"] === undefined) return journaled(exchange, null, methodNotAllowed());
    if (exchange.headers.accept?.includes("text/event-stream") !== true) {
      return journaled(
        exchange,
        null,
        errorReply(406, RPC.serverError, "Not Acceptable: a stream is asked for with Accept: text/event-stream"),
      );
    }
    const session = findSession(exchange);
    if ("status" in session) return journaled(exchange, null, session);
    if (session.stream !== null && !session.stream.closed) {
      return journaled(
        exchange,
        session.identity,
        errorReply(409, RPC.serverError, "Conflict: this session has its stream already"),
      );
    }
    return journaled(exchange, session.identity, {
      status: 200,
      headers: { "mcp-session-id": session.id },
      stream(sink) {
        session.stream = sink;
        sink.comment("open");
      },
    });
  }

  function endSession(exchange: Exchange): Reply {
    const session = findSession(exchange);
    if ("status" in session) return journaled(exchange, null, session);
    era.close(session.id);
    return journaled(exchange, session.identity, jsonReply(200, { ok: true }));
  }

  function findSession(exchange: Exchange): Session | Reply {
    const id = exchange.headers["mcp-session-id"];
    if (id === undefined)
      return errorReply(
        400,
        RPC.serverError,
        "Bad Request: the Mcp-Session-Id header is missing; send initialize first and repeat the id that it answers",
      );
    const session = era.get(id);
    if (session === undefined) return errorReply(404, RPC.sessionNotFound, "Session not found");
    const version = exchange.headers["mcp-protocol-version"];
    if (version === undefined || SESSION_VERSIONS.some((known) => known === version)) return session;
    const supported = SESSION_VERSIONS.join(", ");
    return errorReply(
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

  return (exchange, mount) => (verbs[exchange.method] ?? notAllowed)(exchange, mount);
}

function notAllowed(exchange: Exchange): Reply {
  return journaled(exchange, null, methodNotAllowed());
}

function methodNotAllowed(): Reply {
  return errorReply(405, RPC.serverError, "Method not allowed: use POST, GET with a session, or DELETE", {
    allow: "GET, POST, DELETE",
  });
}

function toCaller(
  exchange: Exchange,
  { mount, session, identity }: { mount: string; session: Session; identity: Identity },
): Caller {
  return { identity, mount, client: session.client, note: (facts) => void exchange.facts.push(facts) };
}

/** A client must accept both forms of answer; one that names neither (or nothing) leaves the choice to the server. */
function findUnfitHeader({ headers }: Exchange): Reply | undefined {
  const { accept } = headers;
  if (accept !== undefined && !accept.includes("*/*") && !ACCEPTED.every((type) => accept.includes(type))) {
    return errorReply(
      406,
      RPC.serverError,
      `Not Acceptable: Accept must list ${ACCEPTED.join(" and ")}, got ${JSON.stringify(accept)}`,
    );
  }
  const type = headers["content-type"];
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) {
    return errorReply(
      415,
      RPC.serverError,
      `Unsupported Media Type: Content-Type must be application/json, got ${JSON.stringify(type)}`,
    );
  }
  return undefined;
}

function findUnfitMessage(messages: readonly RpcMessage[], batch: boolean, session: Session): Reply | undefined {
  if (batch && !allowsBatch(session.version)) {
    return errorReply(
      400,
      RPC.invalidRequest,
      `Invalid Request: MCP ${session.version} has no batches; send one message`,
    );
  }
  if (messages.length === 0) return errorReply(400, RPC.invalidRequest, "Invalid Request: the batch is empty");
  const [only] = messages;
  if (!batch && only?.kind === "invalid") return errorReply(400, RPC.invalidRequest, `Invalid Request: ${only.why}`);
  const early = session.initialized
    ? undefined
    : messages.find((message) => message.kind === "request" && message.method !== "ping");
  if (early?.kind !== "request") return undefined;
  return errorReply(
    400,
    RPC.notInitialized,
    "Session not initialized: send notifications/initialized first",
    {},
    batch ? null : early.id,
  );
}

function errorReply(
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  id: RpcId = null,
): Reply {
  return jsonTextReply(status, answerText(id, rpcError(code, message)), headers);
}

function accepted(): Reply {
  return { status: 202, headers: {}, body: "" };
}

function note(caller: Caller, method: string, params: Json): void {
  const mcp = { method, params, mount: caller.mount, client: caller.client };
  caller.note({ service: "mcp", identity: caller.identity, body: null, mcp });
}

/** Exchanges without a JSON-RPC answer, refused ones above all, are in the journal too. */
function journaled(exchange: Exchange, identity: Identity | null, reply: Reply): Reply {
  exchange.facts.push({ service: "mcp", identity, body: null });
  return reply;
}
