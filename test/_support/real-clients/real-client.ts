import { setTimeout } from "node:timers/promises";

/** How a client reaches the server. */
export interface Target {
  /** Streamable HTTP. */
  readonly url: string;
  /** The old HTTP+SSE transport. */
  readonly sseUrl: string;
  /** A program that speaks for the same server on stdio. */
  readonly stdio: { readonly command: string; readonly args: string[] };
  /** The folder that a client on demand was fetched to. */
  readonly home: string;
}

/** What every client can do, in its own way. */
export interface RealClient {
  /** The names of the tools. */
  list(): Promise<string[]>;
  /** Calls the one tool; what comes of it, in whatever form. Gives up when the signal says so. */
  call(args: { person: string }, signal?: AbortSignal): Promise<unknown>;
  read(uri: string): Promise<unknown>;
  close(): Promise<unknown>;
}

export type Open = (target: Target) => Promise<RealClient>;

/** What a client made of the server. */
export interface Seen {
  readonly tools: string[];
  readonly answer: string;
  readonly resource: string;
  readonly error: string;
  readonly cancelled: string;
}

const PATIENCE_MS = 150;

/** Lists, calls, reads, meets an error, gives a call up, and closes. */
export async function drive(client: RealClient): Promise<Seen> {
  const tools = await client.list();
  const answer = await client.call({ person: "Ada" });
  const resource = await client.read("docs://readme");
  const error = await client.call({ person: "nobody" }).catch(String);
  const impatience = new AbortController();
  const slow = client.call({ person: "slow" }, impatience.signal).then(
    () => "answered",
    () => "given up",
  );
  await setTimeout(PATIENCE_MS);
  impatience.abort();
  const cancelled = await slow;
  // Clients do not wait until what they say of it has left.
  await setTimeout(PATIENCE_MS);
  await client.close();
  return { tools, answer: textOf(answer), resource: textOf(resource), error: textOf(error), cancelled };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
