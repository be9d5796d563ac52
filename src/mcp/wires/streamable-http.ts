import type { Exchange, Reply } from "../../http/exchange.ts";
import { readIdentity } from "../../identity.ts";
import type { Limits } from "../../limits.ts";
import { parseBody } from "../../parse-json.ts";
import { RPC, type RpcMessage, readMessage } from "../json-rpc.ts";
import { type Arrival, identityOf, journaled, refusal, refuse } from "./http-replies.ts";
import { type Eras, routeBatch, routeOf } from "./route.ts";
import { methodNotAllowed, type SessionHttp } from "./session-http.ts";
import type { StatelessHttp } from "./stateless-http.ts";

export interface StreamableHttpDependencies {
  readonly eras: Eras;
  readonly session: SessionHttp;
  readonly stateless: StatelessHttp;
  limits(): Limits;
}

/** Answers one HTTP request to an MCP mount, of either era (MCP, Transports, Streamable HTTP). */
export type StreamableHttp = (exchange: Exchange, mount: string) => Reply | Promise<Reply>;

const ACCEPTED = ["application/json", "text/event-stream"];

export function createStreamableHttp({ eras, session, stateless, limits }: StreamableHttpDependencies): StreamableHttp {
  function post(exchange: Exchange, mount: string): Reply | Promise<Reply> {
    const reading = readIdentity(exchange);
    if (!reading.ok) return journaled(exchange, null, reading.reply);
    const { identity, undecoded } = reading;
    const unfit = findUnfitHeader(exchange);
    if (unfit !== undefined) return journaled(exchange, identity, unfit);
    const parsed = parseBody(exchange.body, limits());
    if (!parsed.ok) {
      const [code, title] =
        parsed.reason.kind === "syntax" ? [RPC.parseError, "Parse error"] : [RPC.invalidRequest, "Invalid Request"];
      return journaled(exchange, identity, refuse(400, code, `${title}: ${parsed.reason.text}`));
    }
    const arrival = { exchange, mount, identity, undecoded };
    if (Array.isArray(parsed.value)) return routeAll(parsed.value.map(readMessage), arrival);
    return routeOne(readMessage(parsed.value), arrival);
  }

  function routeOne(message: RpcMessage, arrival: Arrival): Reply | Promise<Reply> {
    const { exchange, identity } = arrival;
    const route = routeOf(message, exchange.headers["mcp-protocol-version"], eras);
    if (route === "session") return session.post([message], arrival, false);
    if (route === "stateless" && message.kind === "request") return stateless.request(message, arrival);
    if (route === "stateless" && message.kind === "notification") return stateless.notification(message, arrival);
    if (typeof route === "string") throw new Error(`unreachable: a ${message.kind} is never ${route}`);
    const id = message.kind === "request" ? message.id : null;
    return journaled(exchange, identity, refusal(route.status, route.error, { id }));
  }

  function routeAll(messages: readonly RpcMessage[], arrival: Arrival): Reply | Promise<Reply> {
    const route = routeBatch(messages, eras);
    if (typeof route === "string") return session.post(messages, arrival, true);
    return journaled(arrival.exchange, arrival.identity, refusal(route.status, route.error));
  }

  return (exchange, mount) => {
    if (exchange.method === "POST") return post(exchange, mount);
    if (!eras.servesSessions) return journaled(exchange, identityOf(exchange), methodNotAllowed("POST"));
    if (exchange.method === "GET") return session.get(exchange);
    if (exchange.method === "DELETE") return session.delete(exchange);
    return journaled(exchange, identityOf(exchange), methodNotAllowed());
  };
}

/** A client must accept both forms of answer; one that names neither (or nothing) leaves the choice to the server. */
function findUnfitHeader({ headers }: Exchange): Reply | undefined {
  const { accept } = headers;
  if (accept !== undefined && !accept.includes("*/*") && !ACCEPTED.every((type) => accept.includes(type))) {
    const text = `Not Acceptable: Accept must list ${ACCEPTED.join(" and ")}, got ${JSON.stringify(accept)}`;
    return refuse(406, RPC.serverError, text);
  }
  const type = headers["content-type"];
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) {
    const text = `Unsupported Media Type: Content-Type must be application/json, got ${JSON.stringify(type)}`;
    return refuse(415, RPC.serverError, text);
  }
  return undefined;
}
