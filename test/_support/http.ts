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
  readonly headers?: Record<string, string>;
  /** More headers, names and values in turn: the way to send one twice. */
  readonly rawHeaders?: readonly string[];
  readonly body?: string | Buffer;
}

/** One request over a connection of its own, with nothing added that the test did not say. */
export function send(
  url: string,
  { method = "GET", headers = {}, rawHeaders = [], body }: RawRequest = {},
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const lines = [...Object.entries({ Host: new URL(url).host, ...headers }).flat(), ...rawHeaders];
    const outgoing = request(url, { method, headers: withLength(lines, body), agent: false }, (response) => {
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

/** Node adds no length to headers that are given as a list. */
function withLength(lines: readonly string[], body: RawRequest["body"]): string[] {
  const isTold = lines.includes("transfer-encoding") || body === undefined;
  return isTold ? [...lines] : [...lines, "Content-Length", String(Buffer.byteLength(body))];
}

/** Sends JSON and answers the reply's JSON. */
export async function post(url: string, value: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const body = JSON.stringify(value);
  return (
    await send(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body })
  ).json();
}
