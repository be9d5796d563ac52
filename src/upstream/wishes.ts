import type { Client, McpSubscription } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { LoggingLevel } from "../logging-level.ts";

/** What the clients behind one connection want to be told unasked. */
export interface Wishes {
  /** The least level of log lines; `null` when no client has said one. */
  readonly level: LoggingLevel | null;
  /** The resources whose updates are told. */
  readonly uris: ReadonlySet<string>;
}

/** How a connection tells its server what it wants to hear: each era has its own way. */
export interface Asking {
  /** Rejects with what the server refused. */
  want(wishes: Wishes): Promise<void>;
  /** What each request says of it in its `_meta`, when its own client has said nothing. */
  meta(): JsonObject;
}

/** In the era of sessions: requests that hold until the session ends; changes of lists come by themselves. */
export function askInSession(client: Client, capabilities: JsonObject): Asking {
  let level: LoggingLevel | null = null;
  const subscribed = new Set<string>();
  return {
    async want(wishes) {
      if (wishes.level !== null && wishes.level !== level && capabilities.logging !== undefined) {
        await client.setLoggingLevel(wishes.level);
        level = wishes.level;
      }
      for (const uri of wishes.uris) {
        if (!subscribed.has(uri)) await client.subscribeResource({ uri });
        subscribed.add(uri);
      }
      for (const uri of [...subscribed].filter((each) => !wishes.uris.has(each))) {
        await client.unsubscribeResource({ uri });
        subscribed.delete(uri);
      }
    },
    meta: () => ({}),
  };
}

/** In the era without sessions: one stream that is opened anew for each change, and a level on each request. */
export function askInEnvelope(client: Client, capabilities: JsonObject): Asking {
  let level: LoggingLevel | null = null;
  let open: { readonly wanted: string; readonly subscription: McpSubscription } | null = null;
  return {
    async want(wishes) {
      level = wishes.level;
      const filter = {
        ...(tellsChanges(capabilities, "tools") ? { toolsListChanged: true } : {}),
        ...(tellsChanges(capabilities, "prompts") ? { promptsListChanged: true } : {}),
        ...(tellsChanges(capabilities, "resources") ? { resourcesListChanged: true } : {}),
        ...(wishes.uris.size === 0 ? {} : { resourceSubscriptions: [...wishes.uris] }),
      };
      const wanted = JSON.stringify(filter);
      if (wanted === (open?.wanted ?? "{}")) return;
      const last = open;
      // The new stream stands before the old one goes: nothing falls between them.
      open = wanted === "{}" ? null : { wanted, subscription: await client.listen(filter) };
      await last?.subscription.close();
    },
    meta: () => (level === null ? {} : { [LOG_LEVEL_KEY]: level }),
  };
}

/** Key of `_meta` (MCP 2026-07-28, Logging). */
export const LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel";

function tellsChanges(capabilities: JsonObject, family: string): boolean {
  const offered = capabilities[family];
  return offered !== undefined && isJsonObject(offered) && offered.listChanged === true;
}
