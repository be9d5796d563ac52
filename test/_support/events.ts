import { onTestFinished } from "vitest";

/** One server-sent event. */
export interface SeenEvent {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

/** An event stream that is open. */
export interface OpenEvents {
  /** The next events, as soon as so many have come. */
  take(count: number): Promise<SeenEvent[]>;
}

/** Opens an event stream, waits for its first comment, and lets go of it when the signal says so or the test ends. */
export async function openEvents(
  url: string,
  headers: Record<string, string> = {},
  signal: AbortSignal = AbortSignal.any([]),
): Promise<OpenEvents> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const response = await fetch(url, { headers, signal: AbortSignal.any([abort.signal, signal]) });
  if (response.body === null || response.status !== 200)
    throw new Error(`${response.status}: ${await response.text()}`);
  const frames = readFrames(response.body);
  await frames.next();
  return {
    async take(count) {
      const events: SeenEvent[] = [];
      while (events.length < count) {
        const { value, done } = await frames.next();
        if (done) throw new Error(`the stream ended after ${events.length} of ${count} events`);
        events.push(readFrame(value));
      }
      return events;
    },
  };
}

async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const frames = (text + chunk).split("\n\n");
    text = frames.pop() ?? "";
    yield* frames;
  }
}

function readFrame(frame: string): SeenEvent {
  const fields = new Map(
    frame.split("\n").map((line): [string, string] => [before(line), line.slice(before(line).length + 2)]),
  );
  const field = (name: string) => fields.get(name) ?? "";
  return { event: field("event"), id: field("id"), data: field("data") === "" ? null : JSON.parse(field("data")) };
}

function before(line: string): string {
  return line.slice(0, line.indexOf(":"));
}
