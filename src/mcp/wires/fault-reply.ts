import type { Fault } from "../../fakes/fault.ts";
import { jsonReply, jsonTextReply, type Reply, type StreamReply } from "../../http/exchange.ts";
import { RPC } from "../json-rpc.ts";
import { refuse } from "./http-replies.ts";

/** What an answer was to be, for the fault that befalls it. */
export interface Faulty {
  readonly fault: Fault;
  /** The whole message that would have answered. */
  readonly text: string;
  /** Ends the session, where there is one. */
  expire(): void;
}

/** The reply that goes out in place of an answer. */
export function faultReply({ fault, text, expire }: Faulty): Reply {
  switch (fault.kind) {
    case "reset":
    case "hang":
      return { status: 0, headers: {}, none: fault.kind };
    case "cut-stream":
      return {
        status: 200,
        headers: {},
        stream(sink) {
          sink.raw(`event: message\ndata: ${half(text)}`);
          sink.abort();
        },
      };
    case "bad-json":
      return jsonTextReply(200, half(text));
    case "wrong-id":
      return jsonTextReply(200, withOtherId(text));
    case "expire-session":
      expire();
      return refuse(404, RPC.sessionNotFound, "Session not found");
    case "raw":
      return fault.overMs > 0
        ? slowly(fault.body, fault)
        : { status: fault.status, headers: fault.headers, body: fault.body };
    default:
      return httpError(fault.kind);
  }
}

/** The same on a connection that carries messages both ways: the line to send; `null` when the connection ends. */
export function faultLine({ fault, text }: Pick<Faulty, "fault" | "text">): string | undefined | null {
  switch (fault.kind) {
    case "hang":
      return undefined;
    case "bad-json":
      return half(text);
    case "wrong-id":
      return withOtherId(text);
    case "raw":
      return fault.body;
    default:
      return null;
  }
}

const HTTP_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "http-401": { "www-authenticate": 'Bearer error="invalid_token"' },
  "http-429": { "retry-after": "1" },
  "http-503": { "retry-after": "1" },
};

function httpError(kind: string): Reply {
  const status = Number(kind.slice("http-".length));
  return jsonReply(status, { error: `Fault on purpose: ${kind}` }, HTTP_HEADERS[kind] ?? {});
}

function half(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}

/** An answer to a request that nobody made. */
function withOtherId(text: string): string {
  return JSON.stringify({ ...JSON.parse(text), id: "not-the-id-that-was-asked-with" });
}

const PIECES = 4;

/** A body in pieces, spread over a time. */
function slowly(
  body: string,
  { status, headers, overMs }: { status: number; headers: StreamReply["headers"]; overMs: number },
): StreamReply {
  const size = Math.max(1, Math.ceil(body.length / PIECES));
  const pieces = Array.from({ length: PIECES }, (_, index) => body.slice(index * size, (index + 1) * size));
  return {
    status,
    headers,
    stream(sink) {
      const timers = pieces.map((piece, index) =>
        setTimeout(
          () => {
            sink.raw(piece);
            if (index === PIECES - 1) sink.close();
          },
          ((index + 1) * overMs) / PIECES,
        ),
      );
      sink.onClose(() => timers.forEach(clearTimeout));
    },
  };
}
