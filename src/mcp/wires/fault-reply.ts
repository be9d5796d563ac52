import type { Fault, RawBody, RawReply } from "../../fakes/fault.ts";
import { type EventSink, jsonReply, jsonTextReply, type Reply } from "../../http/exchange.ts";
import { answerText, RPC, rpcError } from "../json-rpc.ts";
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
      return rawReply(fault);
    default:
      return httpError(fault.kind);
  }
}

/** What goes out on a connection that carries messages both ways: a line, or none; then the connection may end. */
export interface FaultLine {
  readonly line: string | null;
  readonly ends: boolean;
}

/** The same on a connection without statuses, on which a line is the whole of a reply. */
export function faultLine({ fault, text }: Pick<Faulty, "fault" | "text">): FaultLine {
  switch (fault.kind) {
    case "hang":
      return { line: null, ends: false };
    case "reset":
    case "expire-session":
      return { line: null, ends: true };
    case "cut-stream":
      return { line: half(text), ends: true };
    case "bad-json":
      return { line: half(text), ends: false };
    case "wrong-id":
      return { line: withOtherId(text), ends: false };
    case "raw":
      return { line: rawLine(fault.body), ends: false };
    default: {
      const why = `Fault on purpose: ${fault.kind}, as an error, since this connection has no HTTP statuses`;
      return { line: answerText(JSON.parse(text).id, rpcError(RPC.serverError, why)), ends: false };
    }
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

/** Into so many pieces goes a body that leaves slowly. */
const PIECES = 4;

function rawReply({ status, headers, body, overMs }: RawReply): Reply {
  if (body.kind === "text" && overMs === 0) return { status, headers, body: body.text };
  return {
    status,
    headers,
    bare: body.kind !== "events",
    stream(sink) {
      const sends = piecesOf(body, sink);
      const pieces = sends.length;
      const timers = sends.map((send, index) =>
        setTimeout(
          () => {
            send();
            if (index === pieces - 1) sink.close();
          },
          ((index + 1) * overMs) / pieces,
        ),
      );
      sink.onClose(() => timers.forEach(clearTimeout));
    },
  };
}

function piecesOf(body: RawBody, sink: EventSink): (() => void)[] {
  switch (body.kind) {
    case "text":
      return sliced(body.text.length, (from, to) => sink.raw(body.text.slice(from, to)));
    case "bytes":
      return sliced(body.bytes.length, (from, to) => sink.raw(body.bytes.subarray(from, to)));
    case "events":
      return body.events.map((event) => () => (typeof event === "string" ? sink.raw(event) : sink.send(event)));
  }
}

function sliced(length: number, send: (from: number, to: number) => void): (() => void)[] {
  const size = Math.max(1, Math.ceil(length / PIECES));
  return Array.from({ length: PIECES }, (_, index) => () => send(index * size, (index + 1) * size));
}

function rawLine(body: RawBody): string {
  switch (body.kind) {
    case "text":
      return body.text;
    case "bytes":
      return Buffer.from(body.bytes).toString();
    case "events":
      return body.events.map((event) => (typeof event === "string" ? event : (event.data ?? ""))).join("\n");
  }
}
