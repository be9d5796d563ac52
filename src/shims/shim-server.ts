import type { ShimEnvironment } from "../environment.ts";
import type { Json } from "../json.ts";

/** A server that keeps the state of each test's commands, and the journal of their runs. */
export interface ShimServer {
  post(route: string, body: object): Promise<Json>;
}

/** The server that `MCP_FAKES_URL` names; `null` when it names none. */
export function shimServer({ serverUrl, token }: ShimEnvironment): ShimServer | null {
  if (serverUrl === null) return null;
  const { origin } = new URL(serverUrl);
  return {
    async post(route, body) {
      // Loaded when needed: a shim without a server starts sooner.
      const { request } = await import("node:http");
      const text = JSON.stringify(body);
      const headers = {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      };
      return new Promise((resolve, reject) => {
        const failed = (why: string) => reject(new Error(`the server at ${origin} ${why}`));
        const sent = request(`${origin}/__aimock${route}`, { method: "POST", headers, agent: false }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () => {
            const answer = Buffer.concat(chunks).toString("utf8");
            if (response.statusCode === 200) resolve(JSON.parse(answer));
            else failed(`answered ${response.statusCode}: ${answer}`);
          });
        });
        sent.on("error", (error) => failed(`cannot be reached: ${error.message}`));
        sent.end(text);
      });
    },
  };
}
