import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ExchangeFacts } from "../journal/facts.ts";
import type { Exchange, Reply } from "./exchange.ts";
import { jsonReply } from "./exchange.ts";
import { createOriginCheck } from "./origin.ts";
import { openSink, type ServerSink } from "./sse.ts";

export interface ListenerOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Largest request body in bytes; a larger one is answered 413. */
  readonly maxBodyBytes: number;
  answer(exchange: Exchange): Reply | Promise<Reply>;
  /** Called once for each exchange, just before the last byte of its reply (or the head of its stream) leaves. */
  replied(exchange: Exchange, status: number): void;
  /** Something that `answer` threw: a fault of a mount's own code. */
  crashed(exchange: Exchange, error: unknown): void;
}

export interface Listener {
  /** Resolves to the port when connections are accepted; rejects when the port cannot be had. */
  start(): Promise<number>;
  /** Ends the open streams, then every connection. Resolves well within a second, whatever is open. */
  stop(): Promise<void>;
}

const STOP_GRACE_MS = 100;

/** The only owner of sockets: turns requests into exchanges, and replies into bytes. */
export function createListener(options: ListenerOptions): Listener {
  const refuseOrigin = createOriginCheck(options.host);
  const sinks = new Set<ServerSink>();
  let server: Server | null = null;
  let minted = 0;

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const suppliedId = request.headers["x-request-id"];
    const id = typeof suppliedId === "string" && suppliedId !== "" ? suppliedId : `req-${++minted}`;
    const refusal = refuseOrigin(request.headers.host, request.headers.origin);
    if (refusal !== undefined) return refuse(response, id, jsonReply(403, refusal));
    const declared = Number(request.headers["content-length"] ?? 0);
    if (declared > options.maxBodyBytes) return refuse(response, id, tooLarge(options.maxBodyBytes));

    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= options.maxBodyBytes) chunks.push(chunk);
      else if (!response.headersSent) refuse(response, id, tooLarge(options.maxBodyBytes));
    });
    request.on("end", () => {
      if (response.headersSent) return;
      answer(toExchange(request, response, { id, body: decode(chunks) }), response);
    });
    // A torn request has nobody left to answer.
    request.on("error", () => {});
  }

  function answer(exchange: Exchange, response: ServerResponse): void {
    let reply: Reply | Promise<Reply>;
    try {
      reply = options.answer(exchange);
    } catch (error) {
      return crash(exchange, response, error);
    }
    if (reply instanceof Promise) {
      reply.then(
        (settled) => send(exchange, response, settled),
        (error) => crash(exchange, response, error),
      );
    } else send(exchange, response, reply);
  }

  function send(exchange: Exchange, response: ServerResponse, reply: Reply): void {
    options.replied(exchange, reply.status);
    if ("body" in reply) return write(response, exchange.id, reply);
    const sink = openSink(response, reply, exchange.id);
    sinks.add(sink);
    sink.onClose(() => sinks.delete(sink));
    reply.stream(sink);
  }

  function crash(exchange: Exchange, response: ServerResponse, error: unknown): void {
    options.crashed(exchange, error);
    options.replied(exchange, 500);
    write(response, exchange.id, jsonReply(500, { error: "Internal server error" }));
  }

  return {
    start: () => {
      const created = createServer(
        { keepAliveTimeout: 65_000, requestTimeout: 60_000, headersTimeout: 30_000 },
        receive,
      );
      server = created;
      return listen(created, options.port, options.host);
    },
    stop: async () => {
      if (server === null) return;
      const closing = server;
      server = null;
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

function toExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { id, body }: { id: string; body: string },
): Exchange {
  const target = request.url ?? "/";
  const mark = target.indexOf("?");
  const facts: ExchangeFacts[] = [];
  return {
    id,
    method: request.method ?? "GET",
    target,
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? "" : target.slice(mark + 1),
    headers: flatHeaders(request),
    rawHeaders: request.rawHeaders,
    body,
    startedAt: Date.now(),
    facts,
    onAbort(listener) {
      response.once("close", () => {
        if (!response.writableFinished) listener();
      });
    },
  };
}

/** Node keeps repeated `set-cookie` as a list, which no request to a mock needs; all else is flat already. */
function flatHeaders(request: IncomingMessage): Record<string, string | undefined> {
  const headers = request.headers;
  const cookies = headers["set-cookie"];
  if (cookies === undefined) return headers as Record<string, string | undefined>; // flat but for set-cookie, by Node's own rule
  return { ...headers, "set-cookie": cookies.join(", ") } as Record<string, string | undefined>;
}

function decode(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  if (first === undefined) return "";
  return chunks.length === 1 ? first.toString() : Buffer.concat(chunks).toString();
}

function tooLarge(maxBodyBytes: number): Reply & { body: string } {
  return jsonReply(413, { error: `Request body too large: the limit is ${maxBodyBytes} bytes` });
}

/** Answers before the whole request was read, and ends the connection so that the rest of it is not read either. */
function refuse(response: ServerResponse, id: string, reply: Reply & { body: string }): void {
  write(response, id, { ...reply, headers: { ...reply.headers, connection: "close" } });
}

function write(response: ServerResponse, id: string, reply: Reply & { body: string }): void {
  // 204 and 202 carry no body, and a content length there would only confuse clients.
  const length = reply.body === "" ? {} : { "content-length": Buffer.byteLength(reply.body) };
  response.writeHead(reply.status, { ...reply.headers, ...length, "x-request-id": id });
  response.end(reply.body);
}
