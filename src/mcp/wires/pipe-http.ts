import { randomUUID } from "node:crypto";
import { type BodyReply, type Exchange, jsonReply, type Reply } from "../../http/exchange.ts";
import { readIdentity } from "../../identity.ts";
import type { Limits } from "../../limits.ts";
import { parseBody } from "../../parse-json.ts";
import { journaled } from "./http-replies.ts";
import { givenUpText } from "./open-calls.ts";
import type { Pipe, PipeEnds } from "./pipe.ts";

/** A pipe over two HTTP endpoints: a stream down, POSTs up (MCP 2024-11-05, Transports, HTTP with SSE). */
export interface PipeHttp {
  /** Opens the stream. Its first event tells where to post. */
  get(exchange: Exchange): Reply;
  /** Takes one message; what answers it goes down the stream. */
  post(exchange: Exchange): Reply;
  /**
   * Takes the end of the messages. What they ask for goes down the stream before it is closed; the reply says what was
   * given up: `{ "givenUp": null }`, or a text.
   */
  end(exchange: Exchange): Promise<Reply>;
}

export interface PipeHttpOptions {
  open(ends: Omit<PipeEnds, "transport" | "mount">): Pipe;
  /** Where messages are posted to, without the query that names the pipe. */
  endpoint(exchange: Exchange): string;
  limits(): Limits;
}

interface OpenPipe {
  readonly pipe: Pipe;
  /** Aborted when the client has left. */
  readonly gone: AbortSignal;
  close(): void;
}

const PARAMETER = "sessionId";

export function createPipeHttp({ open, endpoint, limits }: PipeHttpOptions): PipeHttp {
  const pipes = new Map<string, OpenPipe>();

  function find({ query }: Exchange): OpenPipe | BodyReply {
    const id = new URLSearchParams(query).get(PARAMETER);
    const found = id === null ? undefined : pipes.get(id);
    if (found !== undefined) return found;
    const error = `No open stream has the ${PARAMETER} ${JSON.stringify(id)}: open one with GET and post to the endpoint that it tells`;
    return jsonReply(404, { error });
  }

  return {
    get(exchange) {
      const reading = readIdentity(exchange);
      if (!reading.ok) return journaled(exchange, null, reading.reply);
      const { identity } = reading;
      const id = randomUUID();
      return journaled(exchange, identity, {
        status: 200,
        headers: {},
        stream(sink) {
          sink.send({ event: "endpoint", data: `${endpoint(exchange)}?${PARAMETER}=${id}` });
          const send = (text: string) => sink.send({ event: "message", data: text });
          const pipe = open({ identity, headers: exchange.headers, send, ended: () => sink.close() });
          const gone = new AbortController();
          pipes.set(id, { pipe, gone: gone.signal, close: () => sink.close() });
          // The stream is the session (MCP 2024-11-05): it ends with its connection.
          sink.onClose(() => {
            pipes.delete(id);
            gone.abort();
            pipe.close();
          });
        },
      });
    },
    post(exchange) {
      const reading = readIdentity(exchange);
      if (!reading.ok) return journaled(exchange, null, reading.reply);
      const { identity } = reading;
      const found = find(exchange);
      if (!("pipe" in found)) return journaled(exchange, identity, found);
      const parsed = parseBody(exchange.body, limits());
      if (!parsed.ok)
        return journaled(exchange, identity, jsonReply(400, { error: `Bad message: ${parsed.reason.text}` }));
      found.pipe.receive({ text: exchange.body, identity, note: exchange.note });
      return { status: 202, headers: {}, body: "" };
    },
    async end(exchange) {
      const found = find(exchange);
      if (!("pipe" in found)) return journaled(exchange, null, found);
      const calls = await found.pipe.lastAnswers(found.gone);
      found.close();
      return jsonReply(200, { givenUp: calls.length === 0 ? null : givenUpText(calls) });
    },
  };
}
