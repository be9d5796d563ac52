import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { ExchangeFacts } from "../../journal/facts.ts";
import { givenUpText } from "./open-calls.ts";
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
  /** Takes what is to be said beside the protocol. */
  warn(text: string): void;
}

/**
 * Speaks MCP over two streams: one message a line (MCP, Transports, stdio). Resolves when the input has ended and what
 * came before is answered or given up, or when the output can take no more.
 */
export async function serveLines({ input, output, open, record, warn }: StdioWire): Promise<void> {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  /** The connection is over, and nobody waits for answers. */
  const gone = new AbortController();
  const end = () => {
    gone.abort();
    lines.close();
  };
  const pipe = open({ send: (text) => void output.write(`${text}\n`), ended: end });
  // A client that is gone cannot be told so.
  output.on("error", end);
  for await (const line of lines) {
    // What was read ahead came after the end.
    if (gone.signal.aborted) break;
    if (line.trim() !== "") pipe.receive({ text: line, note: (facts) => record(line, facts) });
  }
  const givenUp = await pipe.lastAnswers(gone.signal);
  if (givenUp.length > 0) warn(givenUpText(givenUp));
  pipe.close();
  await new Promise<void>((resolve) => output.write("", () => resolve()));
}
