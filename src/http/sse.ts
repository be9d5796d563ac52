import type { ServerResponse } from "node:http";
import type { EventSink, StreamReply } from "./exchange.ts";

/** A sink that the listener can end from its side. */
export type ServerSink = EventSink;

/** Sends the head of an event stream at once and writes events as they come. */
export function openSink(response: ServerResponse, reply: StreamReply, requestId: string): ServerSink {
  response.writeHead(reply.status, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
    ...reply.headers,
    "x-request-id": requestId,
  });
  response.flushHeaders();
  return {
    get closed() {
      return response.destroyed || response.writableEnded;
    },
    send(event) {
      if (!this.closed) response.write(frame(event));
    },
    comment(text) {
      if (!this.closed) response.write(`: ${text}\n\n`);
    },
    close() {
      if (!this.closed) response.end();
    },
    onClose(listener) {
      response.once("close", listener);
    },
  };
}

/** One event as it stands on the wire (WHATWG HTML, server-sent events): a line break in `data` starts a new data line. */
function frame(event: Parameters<EventSink["send"]>[0]): string {
  let text = "";
  if (event.event !== undefined) text += `event: ${event.event}\n`;
  if (event.id !== undefined) text += `id: ${event.id}\n`;
  if (event.retry !== undefined) text += `retry: ${event.retry}\n`;
  for (const line of event.data.split(/\r\n|\r|\n/)) text += `data: ${line}\n`;
  return `${text}\n`;
}
