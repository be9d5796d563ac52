import type { Identity } from "../identity.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { META } from "./era-stateless.ts";
import { RPC, type RpcError, type RpcId, type RpcRequest, rpcError } from "./json-rpc.ts";
import type { Notice, Notices } from "./notices.ts";

/** `subscriptions/listen` of 2026-07-28: which notices a client wants on a stream of its own, and the stream itself. */
export interface Subscriptions {
  /** What of a request's filter this server can honour; an error when there is no filter. */
  read(
    request: RpcRequest,
  ): { readonly ok: true; readonly filter: JsonObject } | { readonly ok: false; readonly error: RpcError };
  /** Opens a subscription: acknowledges it, then sends what its filter asks for. */
  open(subscription: OpenSubscription): Subscription;
  /** Ends all, each with its result: the server goes. */
  endAll(): void;
}

export interface OpenSubscription {
  readonly id: RpcId;
  readonly filter: JsonObject;
  readonly identity: Identity;
  send(text: string): void;
  /** Takes the result that ends the subscription from the server's side. */
  ended(result: JsonObject): void;
}

export interface Subscription {
  /** The client went. */
  close(): void;
}

const LIST_KEYS = {
  tools: "toolsListChanged",
  prompts: "promptsListChanged",
  resources: "resourcesListChanged",
} as const;

export interface SubscriptionsDependencies {
  readonly notices: Notices;
  readonly capabilities: JsonObject;
  /**
   * Listens to resources of the server behind the mock; `null` when there is none. Resolves to the way to stop, rejects
   * when that server refuses.
   */
  readonly listenBehind: ((uris: readonly string[]) => Promise<() => Promise<void>>) | null;
}

export function createSubscriptions({ notices, capabilities, listenBehind }: SubscriptionsDependencies): Subscriptions {
  const endings = new Set<() => void>();

  return {
    read({ params }) {
      const asked = isJsonObject(params) ? params.notifications : undefined;
      if (isJsonObject(asked)) return { ok: true, filter: honoured(asked, capabilities) };
      return { ok: false, ...rpcError(RPC.invalidParams, "Invalid params: notifications must be an object") };
    },
    open({ id, filter, identity, send, ended }) {
      const meta = { [`${META}subscriptionId`]: id };
      const notify = (method: string, params: JsonObject = {}) =>
        send(JSON.stringify({ jsonrpc: "2.0", method, params: { ...params, _meta: meta } }));
      const acknowledge = (notifications: JsonObject) =>
        notify("notifications/subscriptions/acknowledged", { notifications });
      const { resourceSubscriptions: uris, ...lists } = filter;
      const listening = listenBehind?.(Array.isArray(uris) ? uris.map(String) : []);
      if (listening === undefined) acknowledge(filter);
      else
        listening.then(
          () => acknowledge(filter),
          // What the server behind refuses is not promised.
          () => acknowledge(lists),
        );
      const wants = (notice: Notice) => isWanted(filter, notice);
      const stop = notices.subscribe({ identity, sessionId: null, wants, send: notify });

      function end(): void {
        close();
        ended({ resultType: "complete", _meta: meta });
      }
      function close(): void {
        stop();
        listening?.then((stopListening) => stopListening()).catch(() => {});
        endings.delete(end);
      }
      endings.add(end);
      return { close };
    },
    endAll() {
      for (const end of [...endings]) end();
    },
  };
}

/** A server promises only what its capabilities hold. */
function honoured(asked: JsonObject, capabilities: JsonObject): JsonObject {
  const lists = Object.entries(LIST_KEYS).filter(
    ([kind, key]) => asked[key] === true && offers(capabilities[kind], "listChanged"),
  );
  const uris: Json = Array.isArray(asked.resourceSubscriptions) ? asked.resourceSubscriptions : [];
  const isSubscribing = uris.length > 0 && offers(capabilities.resources, "subscribe");
  return {
    ...Object.fromEntries(lists.map(([, key]) => [key, true])),
    ...(isSubscribing ? { resourceSubscriptions: uris } : {}),
  };
}

function offers(capability: Json | undefined, part: string): boolean {
  return isJsonObject(capability) && capability[part] === true;
}

function isWanted(filter: JsonObject, notice: Notice): boolean {
  if (notice.kind !== "resource") return filter[LIST_KEYS[notice.kind]] === true;
  return Array.isArray(filter.resourceSubscriptions) && filter.resourceSubscriptions.includes(notice.uri);
}
