import type { JsonObject } from "../json.ts";
import { isLogged, LOGGING_LEVELS, type LoggingLevel } from "../logging-level.ts";
import type { BackendAnswer, BackendRequest } from "../mcp/backend.ts";
import type { McpCallContext } from "../mcp/call/call-context.ts";
import type { Connection, Unasked } from "./connection.ts";
import { refusalOf } from "./trouble.ts";
import { LOG_LEVEL_KEY } from "./wishes.ts";

/**
 * What one client has to the server behind a proxy: a connection, made when it is first needed and anew when the server
 * has died, and what the client asked to be told over it.
 */
export interface ClientLine {
  /** Rejects when no answer of the server's comes. */
  answer(request: BackendRequest, context: McpCallContext): Promise<BackendAnswer>;
  /** Hears of these resources from now on, and of changed lists. Rejects when the server refuses. */
  subscribe(uris: readonly string[]): Promise<void>;
  unsubscribe(uris: readonly string[]): Promise<void>;
  rootsChanged(): Promise<void>;
  /** True while no call is on its way. */
  isIdle(): boolean;
  close(): Promise<void>;
}

export function createClientLine(open: () => Promise<Connection>, unasked: Unasked): ClientLine {
  let connection: Promise<Connection | null> = Promise.resolve(null);
  let level: LoggingLevel | null = null;
  /** How many subscriptions there are to each resource. */
  const counts = new Map<string, number>();
  let running = 0;

  const wishes = () => ({ level, uris: new Set(counts.keys()) });

  /** One after the other, so that a server that has died is not started twice; once for each call. */
  function connected(): Promise<Connection> {
    const next = connection.then(
      (current) => (current === null || current.isClosed() ? connect() : current),
      () => connect(),
    );
    connection = next;
    return next;
  }

  async function connect(): Promise<Connection> {
    const made = await open();
    made.onUnasked(unasked);
    // A server that takes a subscription no longer still answers calls.
    await made.want(wishes()).catch(() => {});
    return made;
  }

  async function tellWishes(): Promise<void> {
    await (await connected()).want(wishes());
  }

  async function setLevel(wanted: LoggingLevel): Promise<JsonObject> {
    level = wanted;
    await tellWishes();
    return {};
  }

  async function subscribe(uris: readonly string[]): Promise<void> {
    for (const uri of uris) counts.set(uri, (counts.get(uri) ?? 0) + 1);
    try {
      await tellWishes();
    } catch (error) {
      forget(uris);
      throw error;
    }
  }

  function forget(uris: readonly string[]): void {
    for (const uri of uris) {
      const left = (counts.get(uri) ?? 1) - 1;
      if (left === 0) counts.delete(uri);
      else counts.set(uri, left);
    }
  }

  async function unsubscribe(uris: readonly string[]): Promise<void> {
    forget(uris);
    await tellWishes();
  }

  /** The server hears what concerns the connection from the line itself, which repeats it over the next one. */
  async function ask({ method, params }: BackendRequest, context: McpCallContext): Promise<BackendAnswer> {
    if (method === "logging/setLevel") {
      const known = LOGGING_LEVELS.find((each) => each === params.level);
      if (known !== undefined) return { result: await setLevel(known) };
    }
    if (method === "resources/subscribe" && typeof params.uri === "string") {
      if (!counts.has(params.uri)) await subscribe([params.uri]);
      return { result: {} };
    }
    if (method === "resources/unsubscribe" && typeof params.uri === "string") {
      await unsubscribe([params.uri]);
      return { result: {} };
    }
    const own = LOGGING_LEVELS.find((each) => each === context.request.meta[LOG_LEVEL_KEY]);
    if (own !== undefined && (level === null || !isLogged(own, level))) await setLevel(own);
    return (await connected()).request({ method, params }, context);
  }

  return {
    async answer(request, context) {
      running += 1;
      try {
        return await ask(request, context);
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === null) throw error;
        return { error: refusal };
      } finally {
        running -= 1;
      }
    },
    subscribe,
    unsubscribe,
    async rootsChanged() {
      await (await connected()).rootsChanged();
    },
    isIdle: () => running === 0,
    async close() {
      const current = await connection.catch(() => null);
      await current?.close();
    },
  };
}
