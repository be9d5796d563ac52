import type { FakeStore } from "../fakes/store.ts";
import type { Identity } from "../identity.ts";
import type { TestRegistry } from "../journal/tests.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { Limits } from "../limits.ts";
import type { Logger } from "../logger.ts";
import { isLogged } from "../logging-level.ts";
import type { Backend } from "./backend.ts";
import { createEndpoint } from "./endpoint.ts";
import { createSessionEra, type Session } from "./era-session.ts";
import { createStatelessEra } from "./era-stateless.ts";
import { createNotices, type Notices, noticeOf } from "./notices.ts";
import type { ServerProfile } from "./profile.ts";
import type { Registry } from "./registry.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { createPipe, type Pipe, type PipeEnds } from "./wires/pipe.ts";
import { createPipeHttp, type PipeHttp } from "./wires/pipe-http.ts";
import { createSessionHttp } from "./wires/session-http.ts";
import { createStatelessHttp } from "./wires/stateless-http.ts";
import { createStreamableHttp, type StreamableHttp } from "./wires/streamable-http.ts";

export interface McpServerDependencies {
  readonly profile: ServerProfile;
  readonly registry: Registry;
  readonly fakes: FakeStore;
  logger(): Logger;
  limits(): Limits;
  /** True for a test that was announced and has ended. */
  hasEnded(testId: string | null): boolean;
  /** Notes that a call is being answered; answers what notes that it is. */
  opened: TestRegistry["opened"];
  /** The path that the mock is served at. */
  mount(): string;
  /** What answers where fakes and registrations do not; `null` for nothing. */
  readonly backend: Backend | null;
}

/** One MCP server with its eras and wires. */
export interface McpServer {
  readonly profile: ServerProfile;
  readonly http: StreamableHttp;
  /** Opens a connection that carries messages both ways. */
  pipe(ends: PipeEnds): Pipe;
  /** The old HTTP+SSE transport: a stream, and the endpoint that its messages are posted to. */
  readonly sse: PipeHttp;
  /** The same for `serve --stdio --url`, whose lines keep the rules of stdio on their way here. */
  readonly bridge: PipeHttp;
  readonly sessions: ReadonlyMap<string, Session>;
  readonly notices: Notices;
  /** Passes on what the server behind said unasked: to the client of a session, or to those without one (`null`). */
  passOn(sessionId: string | null, method: string, params: JsonObject): void;
  /** Ends all sessions and subscriptions. */
  close(reason: string): void;
}

export function createMcpServer(dependencies: McpServerDependencies): McpServer {
  const { profile, registry, fakes, logger, limits, backend } = dependencies;
  const live = backend?.live ?? null;
  const notices = createNotices();
  const endpoint = createEndpoint(dependencies);
  const sessionEra = createSessionEra(profile, { notices, limits, ended: (id) => live?.sessionEnded(id) });
  const statelessEra = createStatelessEra(profile);
  const subscriptions = createSubscriptions({
    notices,
    capabilities: profile.capabilities,
    listenBehind: live?.listen ?? null,
  });

  /** What a client sees as a tool's input schema: a registered definition wins whole. */
  function schemaOf(tool: string, identity: Identity): JsonObject | undefined {
    const registered = registry.tools.get(tool)?.definition.inputSchema;
    return isJsonObject(registered) ? registered : fakes.schemaWithHeaders(tool, identity);
  }

  const servesSessions = profile.sessionVersions.length > 0;
  const parts = { endpoint, sessionEra, servesSessions, statelessEra, subscriptions, limits };
  const pipe = (ends: PipeEnds) => createPipe(parts, ends);
  /** The old transport is older than the era without sessions. */
  const sessionPipe = (ends: PipeEnds) =>
    createPipe({ ...parts, statelessEra: { ...statelessEra, served: false } }, ends);

  return {
    profile,
    pipe,
    sse: createPipeHttp({
      open: (ends) => sessionPipe({ ...ends, transport: "sse", mount: dependencies.mount() }),
      endpoint: ({ path }) => path.replace(/sse$/, "message"),
      limits,
    }),
    bridge: createPipeHttp({
      open: (ends) => pipe({ ...ends, transport: "stdio", mount: dependencies.mount() }),
      endpoint: ({ path }) => path,
      limits,
    }),
    http: createStreamableHttp({
      eras: { stateless: statelessEra, servesSessions },
      session: createSessionHttp({ endpoint, era: sessionEra, logger, hasFakes: () => fakes.count > 0 }),
      stateless: createStatelessHttp({ endpoint, era: statelessEra, subscriptions, schemaOf }),
      limits,
    }),
    sessions: sessionEra.sessions,
    notices,
    passOn(sessionId, method, params) {
      const notice = noticeOf(method, params);
      if (notice !== undefined) return notices.publish(notice, { sessionId });
      const session = sessionId === null ? undefined : sessionEra.sessions.get(sessionId);
      if (method === "notifications/message" && session !== undefined && !isLogged(params.level, session.logLevel))
        return;
      session?.carrier?.push(JSON.stringify({ jsonrpc: "2.0", method, params }));
    },
    close(reason) {
      subscriptions.endAll();
      sessionEra.closeAll(reason);
    },
  };
}
