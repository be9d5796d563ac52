import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { ExchangeFacts } from "../../journal/facts.ts";
import type { Pipe, PipeEnds } from "./pipe.ts";

/** The two streams of a stdio server. */
export interface StdioStreams {
  /** Default `process.stdin`. */
  readonly input?: Readable;
  /** Default `process.stdout`: nothing else may write to it. */
  readonly output?: Writable;
}

export interface StdioWire extends Required<StdioStreams> {
  open(ends: Pick<PipeEnds, "send" | "ended">): Pipe;
  /** Takes what was learnt of a line, for the journal. */
  record(line: string, facts: ExchangeFacts): void;
}

/** How long answers that are being made may still come when the input has ended; a client may wait for its process. */
const GRACE_MS = 50;

/**
 * Speaks MCP over two streams: one message a line (MCP, Transports, stdio). Resolves when the input has ended and what
 * was left to say is written, or when the output can take no more.
 */
export async function serveLines({ input, output, open, record }: StdioWire): Promise<void> {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  let hasEnded = false;
  const pipe = open({
    send: (text) => void output.write(`${text}\n`),
    ended: () => {
      hasEnded = true;
      lines.close();
    },
  });
  // A client that is gone cannot be told so.
  output.on("error", () => lines.close());
  for await (const line of lines) {
    // What was read ahead came after the end.
    if (hasEnded) break;
    if (line.trim() !== "") pipe.receive({ text: line, note: (facts) => record(line, facts) });
  }
  const grace = new AbortController();
  const waited = setTimeout(GRACE_MS, undefined, { signal: grace.signal }).catch(() => {});
  await Promise.race([pipe.idle(), waited]);
  grace.abort();
  pipe.close();
  await new Promise<void>((resolve) => output.write("", () => resolve()));
}
