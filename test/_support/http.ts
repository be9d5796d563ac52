import { type IncomingHttpHeaders, request } from "node:http";

export interface RawReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; throws when it is none. */
  json(): unknown;
}

export interface RawRequest {
  readonly method?: string;
  /** Names and values in turn keep headers that are sent twice. */
  readonly headers?: Record<string, string> | readonly string[];
  readonly body?: string | Buffer;
}

/** One request over a connection of its own, with nothing added that the test did not say. */
export function send(url: string, { method = "GET", headers = {}, body }: RawRequest = {}): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers: withHost(url, headers), agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: () => JSON.parse(text) });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Node adds a Host header by itself only to headers that are given as an object. */
function withHost(url: string, headers: Record<string, string> | readonly string[]): Record<string, string> | string[] {
  if (!Array.isArray(headers)) return { ...headers };
  return headers.includes("Host") ? [...headers] : ["Host", new URL(url).host, ...headers];
}

/** Sends JSON and answers the reply's JSON. */
export async function post(url: string, value: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const body = JSON.stringify(value);
  return (await send(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body })).json();
}
