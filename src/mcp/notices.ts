import type { Identity } from "../identity.ts";
import type { JsonObject } from "../json.ts";

/** What a server may tell its clients unasked: a list has changed, or a resource that they subscribed to. */
export type Notice =
  | { readonly kind: "tools" | "prompts" | "resources" }
  | { readonly kind: "resource"; readonly uri: string };

/** A client that may be told. */
export interface Subscriber {
  readonly identity: Identity;
  /** `null` for a stream of the era without sessions. */
  readonly sessionId: string | null;
  wants(notice: Notice): boolean;
  send(method: string, params: JsonObject | undefined): void;
}

/** Whom to tell; all without it. */
export interface NoticeScope {
  /** Only clients that connected with this test id. */
  testId?: string;
}

/** Of a change behind the mock: only the client of this session, or those without one (`null`). */
interface Audience extends NoticeScope {
  readonly sessionId?: string | null;
}

/** Tells clients of changes, over whatever wire they listen. */
export interface Notices {
  /** Returns the way to stop. */
  subscribe(subscriber: Subscriber): () => void;
  publish(notice: Notice, audience?: Audience): void;
}

const METHODS: Readonly<Record<Notice["kind"], string>> = {
  tools: "notifications/tools/list_changed",
  prompts: "notifications/prompts/list_changed",
  resources: "notifications/resources/list_changed",
  resource: "notifications/resources/updated",
};

export function createNotices(): Notices {
  const subscribers = new Set<Subscriber>();
  return {
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    publish(notice, { testId, sessionId } = {}) {
      const params = notice.kind === "resource" ? { uri: notice.uri } : undefined;
      for (const subscriber of subscribers) {
        const isMeant =
          (testId === undefined || subscriber.identity.testId === testId) &&
          (sessionId === undefined || subscriber.sessionId === sessionId);
        if (isMeant && subscriber.wants(notice)) subscriber.send(METHODS[notice.kind], params);
      }
    },
  };
}

/** What a server's notification tells; `undefined` for one that tells of no change. */
export function noticeOf(method: string, { uri }: JsonObject): Notice | undefined {
  switch (method) {
    case METHODS.tools:
      return { kind: "tools" };
    case METHODS.prompts:
      return { kind: "prompts" };
    case METHODS.resources:
      return { kind: "resources" };
    case METHODS.resource:
      return { kind: "resource", uri: String(uri) };
    default:
      return undefined;
  }
}

/** How code tells a mock's clients of changes. */
export interface McpNotify {
  toolsChanged(scope?: NoticeScope): void;
  promptsChanged(scope?: NoticeScope): void;
  resourcesChanged(scope?: NoticeScope): void;
  /** Reaches the clients that subscribed to this resource. */
  resourceUpdated(uri: string, scope?: NoticeScope): void;
}

export function createNotify({ publish }: Notices): McpNotify {
  return {
    toolsChanged: (scope) => publish({ kind: "tools" }, scope),
    promptsChanged: (scope) => publish({ kind: "prompts" }, scope),
    resourcesChanged: (scope) => publish({ kind: "resources" }, scope),
    resourceUpdated: (uri, scope) => publish({ kind: "resource", uri }, scope),
  };
}
