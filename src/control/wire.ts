import type net from "node:net";

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: "GET" | "POST";
  /** Path and query. */
  readonly path: string;
  readonly body: string | null;
}

/** Where a control API is, and what opens it. */
export interface ControlServer {
  /** Origin, `http://host:port`. */
  readonly url: string;
  readonly token: string | null;
}

/** What came back, or the text of what kept it from coming. */
export type WireAnswer =
  | { readonly status: number; readonly body: string; readonly failure?: undefined }
  | { readonly failure: string };

/** Sends one request and calls back once. */
export type Exchange = (server: ControlServer, request: WireRequest, done: (answer: WireAnswer) => void) => void;

/**
 * Makes an exchange over kept connections, which hold no process up. It speaks HTTP/1.1 itself, for the reasons in
 * docs/decisions/a-worker-speaks-http-itself.md. The function leans on nothing outside itself, because it also runs as
 * text in the thread of the synchronous channel.
 */
export function createExchange(connect: (options: net.TcpNetConnectOpts) => net.Socket): Exchange {
  /** Connections that wait for a request, by their server. */
  const waiting = new Map<string, Connection[]>();

  interface Connection {
    /** Calls back once, with `null` when the connection was closed before anything came. */
    ask(text: string, take: (answer: WireAnswer | null) => void): void;
  }

  /** A kept connection that the server closed at that very moment is no failure: the request is sent again. */
  function exchange(server: ControlServer, request: WireRequest, done: (answer: WireAnswer) => void): void {
    const kept = waitingAt(server.url).pop();
    (kept ?? open(server.url)).ask(textOf(server, request), (answer) => {
      if (answer !== null) done(answer);
      else if (kept !== undefined) exchange(server, request, done);
      else done({ failure: "it closed the connection" });
    });
  }

  function waitingAt(url: string): Connection[] {
    const found = waiting.get(url) ?? [];
    waiting.set(url, found);
    return found;
  }

  function textOf({ url, token }: ControlServer, { method, path, body }: WireRequest): string {
    const head = [`${method} ${path} HTTP/1.1`, `host: ${url.slice("http://".length)}`];
    // A server's token is visible ASCII; one that is not is no server's.
    if (token !== null) head.push(`authorization: Bearer ${token.replace(/[^!-~]/g, "?")}`);
    if (body !== null) head.push("content-type: application/json");
    if (method === "POST") head.push(`content-length: ${Buffer.byteLength(body ?? "")}`);
    return `${head.join("\r\n")}\r\n\r\n${body ?? ""}`;
  }

  function open(url: string): Connection {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 80), noDelay: true });
    let taker: ((answer: WireAnswer | null) => void) | null = null;
    let received: Buffer[] = [];
    let size = 0;
    /** Fewer bytes are no whole answer. */
    let least = 0;

    function give(answer: WireAnswer | null): void {
      const take = taker;
      taker = null;
      received = [];
      size = 0;
      least = 0;
      take?.(answer);
    }

    const connection: Connection = {
      ask(text, take) {
        taker = take;
        socket.ref();
        socket.write(text);
      },
    };
    socket.on("data", (chunk) => {
      if (taker === null) return void socket.destroy(); // nothing was asked
      received.push(chunk);
      size += chunk.length;
      if (size < least) return;
      received = [Buffer.concat(received)];
      const found = read(received[0] ?? chunk, false);
      if ("least" in found) {
        least = found.least;
        return;
      }
      if (found.isLast) socket.destroy();
      else {
        socket.unref();
        waitingAt(url).push(connection);
      }
      give(found.answer);
    });
    socket.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      if (code !== "ECONNRESET" && code !== "EPIPE") give({ failure: message || code || "no connection" });
    });
    socket.on("close", () => {
      const others = waitingAt(url);
      if (others.includes(connection)) others.splice(others.indexOf(connection), 1);
      if (size === 0) return give(null);
      const found = read(Buffer.concat(received), true);
      give("least" in found ? { failure: "its answer broke off" } : found.answer);
    });
    return connection;
  }

  /** What has come of an answer: all of it, and whether no other can follow; or how many bytes it has at least. */
  function read(bytes: Buffer, isClosed: boolean): { answer: WireAnswer; isLast: boolean } | { least: number } {
    const headEnd = bytes.indexOf("\r\n\r\n");
    const head = bytes.toString("latin1", 0, headEnd === -1 ? bytes.length : headEnd);
    const more = { least: bytes.length + 1 };
    if (!"HTTP/1.".startsWith(head.slice(0, 7))) return { answer: { failure: "it speaks no HTTP/1.1" }, isLast: true };
    if (headEnd === -1) return more;
    const status = Number(head.slice(9, 12));
    const start = headEnd + 4;
    if (status < 200) return read(bytes.subarray(start), isClosed);
    const whole = (body: Buffer, isLast: boolean) => ({ answer: { status, body: body.toString() }, isLast });
    const length = status === 204 || status === 304 ? "0" : /^content-length: *(\d+)/im.exec(head)?.[1];
    if (length !== undefined) {
      const end = start + Number(length);
      const isLast = bytes.length > end || /^connection: *close/im.test(head) || head.startsWith("HTTP/1.0");
      return bytes.length < end ? { least: end } : whole(bytes.subarray(start, end), isLast);
    }
    if (!/^transfer-encoding: *chunked/im.test(head)) return isClosed ? whole(bytes.subarray(start), true) : more;
    const body = unchunked(bytes.subarray(start));
    return body === null ? more : whole(body, true);
  }

  /** What stands in chunks, once the last of them, an empty one, is there. */
  function unchunked(bytes: Buffer): Buffer | null {
    const parts: Buffer[] = [];
    for (let at = 0; ; ) {
      const start = bytes.indexOf("\r\n", at) + 2;
      if (start === 1) return null;
      const end = start + Number.parseInt(bytes.toString("latin1", at, start), 16);
      if (!(end > start)) return Buffer.concat(parts);
      parts.push(bytes.subarray(start, end));
      at = end + 2;
      if (at > bytes.length) return null;
    }
  }

  return exchange;
}
