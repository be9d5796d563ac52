import http from "node:http";
import type { AxiosStatic } from "axios";
import * as undici from "undici";

/** What MCP needs of an answer. */
export interface Answer {
  session: string | null;
  text: string;
}

/** One way to send a POST. */
export type Sender = (url: string, headers: Record<string, string>, body: string) => Promise<Answer>;

// By Node's own require: one of its dependencies cannot be imported in Vitest's VM pools.
const axios: AxiosStatic = process.getBuiltinModule("node:module").createRequire(import.meta.url)("axios");
const fetchAtImport = globalThis.fetch;
const narrowPool = new undici.Agent({ connections: 2, pipelining: 1 });
const oneSocket = new http.Agent({ keepAlive: true, maxSockets: 1 });

/** Every way in which this suite sends its requests. None of them is told which test it works for. */
export const senders: Record<string, Sender> = {
  fetch: (url, headers, body) => answerOf(fetch(url, { method: "POST", headers, body })),
  "fetch taken at import": (url, headers, body) => answerOf(fetchAtImport(url, { method: "POST", headers, body })),
  "undici fetch": (url, headers, body) => answerOf(undici.fetch(url, { method: "POST", headers, body })),
  "undici request": async (url, headers, body) =>
    undiciAnswer(await undici.request(url, { method: "POST", headers, body })),
  "undici with two connections": async (url, headers, body) =>
    undiciAnswer(await undici.request(url, { method: "POST", headers, body, dispatcher: narrowPool })),
  "node:http": (url, headers, body) => overHttp(url, { headers }, body),
  "node:http with an array of headers": (url, headers, body) =>
    overHttp(url, { headers: asArray({ host: new URL(url).host, ...headers }, body) }, body),
  "node:http with one socket": (url, headers, body) => overHttp(url, { headers, agent: oneSocket }, body),
  axios: async (url, headers, body) => {
    const { data, headers: answered } = await axios.post(url, body, { headers, transformResponse: String });
    return { session: answered["mcp-session-id"] ?? null, text: data };
  },
};

function asArray(headers: Record<string, string>, body: string): string[] {
  return [...Object.entries(headers).flat(), "content-length", String(Buffer.byteLength(body))];
}

async function answerOf(sent: Promise<{ headers: { get(name: string): string | null }; text(): Promise<string> }>) {
  const response = await sent;
  return { session: response.headers.get("mcp-session-id"), text: await response.text() };
}

async function undiciAnswer({ headers, body }: undici.Dispatcher.ResponseData): Promise<Answer> {
  const session = headers["mcp-session-id"];
  return { session: typeof session === "string" ? session : null, text: await body.text() };
}

function overHttp(url: string, options: http.RequestOptions, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: "POST", ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ session: String(response.headers["mcp-session-id"] ?? ""), text }));
    });
    request.on("error", reject);
    request.end(body);
  });
}
