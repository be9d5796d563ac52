import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { isJsonObject } from "../json.ts";
import { parseJson } from "../parse-json.ts";
import { thrownText } from "../text.ts";

export interface StdioBridge {
  /** The running server, without a path: `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The MCP mount; default `"/mcp"`. */
  readonly mount?: string;
  /** The test whose view of the server the client gets; default none. */
  readonly testId?: string;
  readonly context?: string;
  readonly input?: Readable;
  readonly output?: Writable;
  /** Takes what is said beside the protocol. */
  readonly stderr?: Writable;
}

/**
 * Joins a stdio client to a server that already runs: each line of `input` is posted to it, what it answers or tells
 * becomes a line of `output`. Resolves when the input has ended and its calls are answered or given up, or when the server
 * has ended; rejects when it cannot be reached.
 *
 * @example await bridgeStdio({ url: "http://127.0.0.1:4010", testId: "tickets › retry" })
 */
export async function bridgeStdio({
  url,
  mount = "/mcp",
  testId,
  context,
  input = process.stdin,
  output = process.stdout,
  stderr = process.stderr,
}: StdioBridge): Promise<void> {
  const identity = new URLSearchParams({
    ...(testId === undefined ? {} : { testId }),
    ...(context === undefined ? {} : { context }),
  });
  const down = new AbortController();
  const opened = await fetch(`${url}${mount}/stdio?${identity}`, { signal: down.signal }).catch((error) => {
    throw new Error(`no server answers at ${url} (${thrownText(error.cause ?? error)}): start it with mcp-fakes serve`);
  });
  if (opened.status !== 200 || opened.body === null) {
    throw new Error(`The server at ${url} does not bridge "${mount}": ${opened.status} ${await opened.text()}`);
  }
  const events = readEvents(opened.body);
  const endpoint = `${url}${(await events.next()).value?.data}`;
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  let isOver = false;
  const over = () => {
    isOver = true;
    lines.close();
  };
  const write = async () => {
    for await (const { data } of events) output.write(`${data}\n`);
  };
  const written = write().then(over, over);
  // One after the other: the order of a client's messages means something.
  for await (const line of lines) {
    if (line.trim() !== "") await fetch(endpoint, { method: "POST", body: line });
  }
  if (!isOver && (await askLastAnswers(endpoint, stderr))) await written;
  down.abort();
  await written;
}

/** Says that all is asked. True when the server is going to end the stream, with all answers before its end. */
async function askLastAnswers(endpoint: string, stderr: Writable): Promise<boolean> {
  const reply = await fetch(endpoint, { method: "DELETE" }).catch(() => null);
  if (!reply?.ok) return false;
  const said = parseJson(await reply.text());
  const { givenUp } = said.ok && isJsonObject(said.value) ? said.value : {};
  if (typeof givenUp === "string") stderr.write(`mcp-fakes: ${givenUp}\n`);
  return true;
}

/** The events of a stream whose `data` is one line, as this package's server writes them. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<{ readonly data: string }> {
  let rest = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + chunk).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const line = frame.split("\n").find((each) => each.startsWith("data: "));
      if (line !== undefined) yield { data: line.slice("data: ".length) };
    }
  }
}
