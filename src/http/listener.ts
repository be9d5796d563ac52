import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Limits } from "../limits.ts";
import { readBody } from "./body.ts";
import { allowLocalPages } from "./cors.ts";
import { type BodyReply, type Exchange, jsonReply, type Reply } from "./exchange.ts";
import { createHeaderReader } from "./headers.ts";
import { observeResponse, type SeenRequest } from "./observe.ts";
import { createOriginCheck } from "./origin.ts";
import { type OpenExchange, type Recorder, toExchange } from "./receive.ts";
import { openSink, type ServerSink } from "./sse.ts";
import { refuseSocket, tooMuch } from "./too-much.ts";

export interface ListenerOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly limits: Limits;
  answer(exchange: Exchange): Reply | Promise<Reply>;
  /** Takes what an exchange noted, just before the last byte of its reply leaves; on an open stream, as it is noted. */
  readonly record: Recorder;
  /** Something that `answer` threw: a fault of a mount's own code. */
  crashed(exchange: Exchange, error: unknown): void;
  /** Given when somebody counts: called for each request when its connection is done with it, refused ones included. */
  readonly observe?: (seen: SeenRequest) => void;
}

export interface Listener {
  /** Resolves to the port when connections are accepted; rejects when the port cannot be had. */
  start(): Promise<number>;
  /** Ends the open streams, then every connection. Resolves well within a second, whatever is open. */
  stop(): Promise<void>;
}

const STOP_GRACE_MS = 100;

/** Idle streams carry a comment this often, since clients and proxies give up on a silent connection. */
const KEEP_ALIVE_MS = 15_000;

/** Connections are kept open until nobody has asked anything for this long. */
const IDLE_MS = 60_000;

/** The status of a reply that nobody was there to take. */
const TORN = 0;

/** The only owner of sockets: turns requests into exchanges, and replies into bytes. */
export function createListener(options: ListenerOptions): Listener {
  const { limits, observe } = options;
  const { max } = limits;
  const refuseOrigin = createOriginCheck(options.host);
  const readHeaders = createHeaderReader();
  const sinks = new Set<ServerSink>();
  let server: Server | null = null;
  let timers: readonly NodeJS.Timeout[] = [];
  let received = 0;

  function receive(request: IncomingMessage, response: ServerResponse): void {
    if (observe !== undefined) observeResponse(request, response, observe);
    received++;
    const { url = "" } = request;
    const headers = readHeaders(request);
    const id = headers["x-request-id"] || `req-${received}`;
    const refusal = refuseOrigin(headers.host, headers.origin);
    if (refusal !== undefined) return refuse(response, id, jsonReply(403, refusal));
    if (allowLocalPages(request, response, id)) return;
    if (url.length > max.requestLine) return refuse(response, id, tooMuch(limits, "requestLine"));
    if (Number(headers["content-length"] ?? 0) > max.body) return refuse(response, id, tooMuch(limits, "body"));

    readBody(request, max.body, (body) => {
      if (body === null) return refuse(response, id, tooMuch(limits, "body"));
      answer(toExchange(request, response, { id, headers, body, record: options.record }), response);
    });
  }

  /** Mounts may be anybody's code: what they throw, and replies that cannot be sent, end as a 500. */
  function answer(exchange: OpenExchange, response: ServerResponse): void {
    try {
      const reply = options.answer(exchange);
      if (reply instanceof Promise) void sendLater(exchange, response, reply);
      else send(exchange, response, reply);
    } catch (error) {
      crash(exchange, response, error);
    }
  }

  async function sendLater(exchange: OpenExchange, response: ServerResponse, reply: Promise<Reply>): Promise<void> {
    exchange.watch();
    try {
      send(exchange, response, await reply);
    } catch (error) {
      crash(exchange, response, error);
    }
  }

  function send(exchange: OpenExchange, response: ServerResponse, reply: Reply): void {
    if ("body" in reply) {
      writeHead(response, exchange.id, reply);
      exchange.leave(response.destroyed ? TORN : reply.status, reply.body.length);
      response.end(reply.body);
      if (response.writableFinished) return;
      // The client has not taken all of it yet.
      exchange.watch();
      return watchReader(response);
    }
    exchange.watch();
    if ("none" in reply) {
      exchange.leave(TORN, 0);
      if (reply.none === "reset") response.socket?.resetAndDestroy();
      return;
    }
    // Nobody would ever end a stream to a client that has gone.
    if (response.destroyed) return exchange.leave(TORN, 0);
    if (sinks.size >= max.streams) return send(exchange, response, tooMuch(limits, "streams"));
    const onEnd = () => watchReader(response);
    const sink = openSink(response, reply, { requestId: exchange.id, unreadMax: max.slowReader, onSlow, onEnd });
    exchange.leave(reply.status, 0);
    sinks.add(sink);
    sink.onClose(() => sinks.delete(sink));
    reply.stream(sink);
  }

  function crash(exchange: OpenExchange, response: ServerResponse, error: unknown): void {
    options.crashed(exchange, error);
    exchange.watch();
    if (response.headersSent) response.destroy();
    else send(exchange, response, jsonReply(500, { error: "Internal server error" }));
  }

  /** What a client does not read at once is kept for it, for a while. */
  function watchReader(response: ServerResponse): void {
    const { socket } = response;
    if (socket === null || socket.writableLength === 0) return;
    const timer = setTimeout(() => {
      onSlow();
      socket.destroy();
    }, max.requestTime);
    response.once("close", () => clearTimeout(timer));
  }

  function onSlow(): void {
    limits.hit("slowReader");
  }

  function keepAlive(): void {
    for (const sink of sinks) sink.comment("keep-alive");
  }

  function closeIdle(of: Server): () => void {
    let before = received;
    return () => {
      if (received === before) of.closeIdleConnections();
      before = received;
    };
  }

  return {
    start: () => {
      const created = createServer(
        {
          // Node's own limit sets a timer and clears it with each request; see `closeIdle`.
          keepAliveTimeout: 0,
          requestTimeout: max.requestTime,
          headersTimeout: max.requestTime,
          connectionsCheckingInterval: Math.min(15_000, Math.ceil(max.requestTime / 2)),
          maxHeaderSize: max.headers,
        },
        receive,
      );
      created.maxConnections = max.connections;
      created.on("drop", () => limits.hit("connections"));
      created.on("clientError", (error, socket) => refuseSocket(limits, socket, { error, id: `req-${++received}` }));
      server = created;
      timers = [setInterval(keepAlive, KEEP_ALIVE_MS).unref(), setInterval(closeIdle(created), IDLE_MS).unref()];
      return listen(created, options.port, options.host);
    },
    stop: async () => {
      if (server === null) return;
      const closing = server;
      server = null;
      for (const timer of timers) clearInterval(timer);
      for (const sink of sinks) sink.close();
      const closed = new Promise<void>((resolve) => closing.close(() => resolve()));
      closing.closeIdleConnections();
      const grace = setTimeout(() => closing.closeAllConnections(), STOP_GRACE_MS);
      await closed;
      clearTimeout(grace);
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port); // a TCP server's address is always an AddressInfo
    });
  });
}

/** Answers before the whole request was read, and ends the connection so that the rest of it is not read either. */
function refuse(response: ServerResponse, id: string, reply: BodyReply): void {
  writeHead(response, id, { ...reply, headers: { ...reply.headers, connection: "close" } });
  response.end(reply.body);
}

function writeHead(response: ServerResponse, id: string, { status, headers, body }: BodyReply): void {
  // Names and values in turn, as they go on the wire: the form that costs Node least.
  const lines: string[] = ["x-request-id", id];
  for (const name in headers) lines.push(name, headers[name] ?? "");
  // 204 and 202 carry no body, and a content length there would only confuse clients.
  if (body !== "") lines.push("content-length", String(Buffer.byteLength(body)));
  response.writeHead(status, lines);
}
