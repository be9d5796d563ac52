import type http from "node:http";

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: "GET" | "POST";
  /** Path and query. */
  readonly path: string;
  readonly body: string | null;
}

/** Where a control API is, and what opens it. */
export interface ControlServer {
  /** Origin, `http://host:port`. */
  readonly url: string;
  readonly token: string | null;
}

/** What came back, or the text of what kept it from coming. */
export type WireAnswer =
  | { readonly status: number; readonly body: string; readonly failure?: undefined }
  | { readonly failure: string };

/**
 * Sends one request and calls back once. A kept connection that the server closed at that very moment is no failure:
 * the request is sent again. The function leans on nothing outside itself, because it also runs as text in the thread
 * of the synchronous channel.
 */
export function exchange(
  send: typeof http.request,
  { agent, server, request }: { agent: http.Agent; server: ControlServer; request: WireRequest },
  done: (answer: WireAnswer) => void,
): void {
  const { method, path, body } = request;
  const headers: Record<string, string | number> = {};
  if (server.token !== null) headers.authorization = `Bearer ${server.token}`;
  if (body !== null) headers["content-type"] = "application/json";
  if (body !== null) headers["content-length"] = Buffer.byteLength(body);
  const outgoing = send(`${server.url}${path}`, { method, agent, headers }, (incoming) => {
    let text = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (chunk) => {
      text += chunk;
    });
    incoming.on("end", () => done({ status: incoming.statusCode ?? 0, body: text }));
    incoming.on("error", (error) => done({ failure: error.message }));
  });
  outgoing.on("error", (error) => {
    const closedMeanwhile = outgoing.reusedSocket && "code" in error && /^(ECONNRESET|EPIPE)$/.test(String(error.code));
    if (closedMeanwhile) exchange(send, { agent, server, request }, done);
    else done({ failure: error.message });
  });
  outgoing.end(body ?? undefined);
}
