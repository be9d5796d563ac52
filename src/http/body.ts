import type { IncomingMessage } from "node:http";

/** Takes a body once all of it is there; `null` as soon as it is larger than allowed. Called once, or never. */
export type TakeBody = (body: string | null) => void;

/** Reads a request's body of at most `max` bytes. Nothing is told of one that breaks off: nobody is left to answer. */
export function readBody(request: IncomingMessage, max: number, take: TakeBody): void {
  // What came in one packet is whole once the event loop has turned. Taking it then costs less than to listen for it,
  // which has to be done from the start where a diagnostics tool listens as well.
  if (request.readableFlowing === null) setImmediate(takeWhole, request, max, take);
  else takeInPieces(request, max, take);
}

function takeWhole(request: IncomingMessage, max: number, take: TakeBody): void {
  if (!request.complete) return takeInPieces(request, max, take);
  const body: Buffer | null = request.read();
  if (body === null) take("");
  else take(body.length > max ? null : body.toString());
}

function takeInPieces(request: IncomingMessage, max: number, take: TakeBody): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    const wasTooLarge = size > max;
    size += chunk.length;
    if (size <= max) chunks.push(chunk);
    else if (!wasTooLarge) take(null);
  });
  request.on("end", () => {
    if (size <= max) take(Buffer.concat(chunks).toString());
  });
  // A torn request has nobody left to answer.
  request.on("error", () => {});
}
