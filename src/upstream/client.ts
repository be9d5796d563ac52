import type { JsonObject } from "../json.ts";
import type { Backend, BackendClient, LiveBackend } from "../mcp/backend.ts";
import { thrownText } from "../text.ts";
import { type ClientLine, createClientLine } from "./client-line.ts";
import { type Connection, connect, type UpstreamTold } from "./connection.ts";
import type { UpstreamConfig } from "./schema.ts";

/** A real MCP server behind a proxy. */
export interface Upstream extends Backend {
  readonly told: UpstreamTold;
  readonly live: LiveBackend;
  /** The names of the server's tools, while no client has come. Rejects when the list cannot be had. */
  toolNames(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Takes what a server says unasked to the client of a session, or to those without one (`null`). */
export type UpstreamNotice = (sessionId: string | null, method: string, params: JsonObject) => void;

/** Who hears of a server what is no answer. */
export interface UpstreamListener {
  readonly notice: UpstreamNotice;
  /** Takes why a call got no answer. */
  trouble(text: string): void;
}

/**
 * Connects to a real server, in whichever era it speaks: once for each session of a client, and once for all clients
 * without sessions. Rejects with an `Error` that says why, and what the server printed, when it cannot be reached.
 *
 * @example const upstream = await connectUpstream({ command: "npx", args: ["-y", "some-server"] }, listener)
 */
export async function connectUpstream(
  config: UpstreamConfig,
  { notice, trouble }: UpstreamListener,
): Promise<Upstream> {
  const first = await connect(config, { capabilities: EVERYTHING });
  /** The connection that told what the server is; the first client may have it. */
  let spare: Connection | null = first;
  const lines = new Map<string | null, ClientLine>();
  const closing = new Set<Promise<void>>();

  /** What a server lists may depend on what its client can do, so that it is told the client's own capabilities. */
  async function open({ sessionId, capabilities }: BackendClient): Promise<Connection> {
    const known = sessionId === null ? EVERYTHING : answerable(capabilities);
    const made = spare;
    spare = null;
    if (made !== null && !made.isClosed() && Object.keys(known).length === Object.keys(EVERYTHING).length) return made;
    await made?.close();
    return connect(config, { capabilities: known });
  }

  /** The line that was used last stands last. */
  function lineOf(client: BackendClient): ClientLine {
    const { sessionId } = client;
    const line =
      lines.get(sessionId) ??
      createClientLine(
        () => open(client),
        (method, params) => notice(sessionId, method, params),
      );
    lines.delete(sessionId);
    closeIdlest();
    lines.set(sessionId, line);
    return line;
  }

  /** Clients that never end their sessions must not leave a process each. */
  function closeIdlest(): void {
    if (lines.size < LINES_MAX) return;
    const idle = [...lines].find(([, line]) => line.isIdle());
    if (idle !== undefined) end(idle[0]);
  }

  function end(sessionId: string | null): void {
    const line = lines.get(sessionId);
    lines.delete(sessionId);
    if (line === undefined) return;
    const closed = line.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  return {
    told: first.told,
    toolNames: first.toolNames,
    async answer(request, context) {
      const { sessionId, clientCapabilities: capabilities } = context.request;
      try {
        return await lineOf({ sessionId, capabilities }).answer(request, context);
      } catch (error) {
        if (!context.signal.aborted) trouble(thrownText(error));
        throw error;
      }
    },
    live: {
      // A client that is ready may be told of changes before it asks for anything.
      ready: (client) => lineOf(client).subscribe([]),
      rootsChanged: (client) => lineOf(client).rootsChanged(),
      async listen(uris) {
        const line = lineOf(WITHOUT_SESSION);
        await line.subscribe(uris);
        return () => line.unsubscribe(uris);
      },
      sessionEnded: end,
    },
    async close() {
      for (const sessionId of [...lines.keys()]) end(sessionId);
      await Promise.all([spare?.close(), ...closing]);
    },
  };
}

// --- internal ---

const LINES_MAX = 32;

/** All that a proxy can pass on to a client. */
const EVERYTHING: JsonObject = {
  sampling: { tools: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
};

const WITHOUT_SESSION: BackendClient = { sessionId: null, capabilities: EVERYTHING };

function answerable(capabilities: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(capabilities).filter(([name]) => EVERYTHING[name] !== undefined));
}
