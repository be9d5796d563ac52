import type { ServerResponse } from "node:http";
import type { EventSink, ServerSentEvent, StreamReply } from "./exchange.ts";

/** A sink that the listener can end from its side. */
export type ServerSink = EventSink;

export interface SinkOptions {
  readonly requestId: string;
  /** Bytes that the client may leave unread before it is cut off. */
  readonly unreadMax: number;
  onSlow(): void;
  /** The stream has ended on this side; the client may still have to read what was sent. */
  onEnd(): void;
}

/** Sends the head of an event stream at once and writes events as they come. */
export function openSink(
  response: ServerResponse,
  reply: StreamReply,
  { requestId, unreadMax, onSlow, onEnd }: SinkOptions,
): ServerSink {
  response.writeHead(reply.status, {
    ...(reply.bare === true ? {} : EVENT_STREAM),
    ...reply.headers,
    "x-request-id": requestId,
  });
  response.flushHeaders();
  const isClosed = () => response.destroyed || response.writableEnded;

  function write(text: string | Uint8Array): void {
    if (isClosed()) return;
    if (response.writableLength <= unreadMax) return void response.write(text);
    onSlow();
    response.destroy();
  }

  return {
    get closed() {
      return isClosed();
    },
    send: (event) => write(frame(event)),
    raw: write,
    comment: (text) => write(`: ${text}\n\n`),
    close() {
      if (isClosed()) return;
      response.end();
      onEnd();
    },
    abort() {
      // What was sent before is still delivered; only the end of the stream never comes.
      response.socket?.destroySoon();
      onEnd();
    },
    onClose(listener) {
      response.once("close", listener);
    },
  };
}

const EVENT_STREAM = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** One event as it stands on the wire (WHATWG HTML, server-sent events): a line break in `data` starts a new data line. */
function frame(event: ServerSentEvent): string {
  let text = "";
  if (event.event !== undefined) text += `event: ${event.event}\n`;
  if (event.id !== undefined) text += `id: ${event.id}\n`;
  if (event.retry !== undefined) text += `retry: ${event.retry}\n`;
  for (const line of event.data?.split(/\r\n|\r|\n/) ?? []) text += `data: ${line}\n`;
  return `${text}\n`;
}
