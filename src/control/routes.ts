import { type Exchange, jsonReply, type Reply } from "../http/exchange.ts";
import type { CommandStates } from "../journal/commands.ts";
import type { TurnScripts } from "../llm/scripts.ts";
import type { TurnStore } from "../llm/store.ts";
import { CONTROL_PREFIX, type FakeMounts } from "../mcp/fake-mounts.ts";
import type { MCPMockHost } from "../mcp/mock-host.ts";
import { commandsRoutes } from "./commands.ts";
import { eventsRoutes } from "./events.ts";
import { fakesRoutes } from "./fakes.ts";
import { fixturesRoutes } from "./fixtures.ts";
import { createGuard } from "./guard.ts";
import { journalRoutes } from "./journal.ts";
import { modelsRoutes } from "./models.ts";
import { openApiOf } from "./openapi.ts";
import { readRequest, toErrorReply } from "./request.ts";
import type { Route } from "./route.ts";
import { ANY } from "./schemas.ts";
import { serverRoutes } from "./server.ts";
import { testsRoutes } from "./tests.ts";
import { usageRoutes } from "./usage.ts";

/** What the control API steers. */
export interface ControlDependencies extends MCPMockHost {
  readonly fakes: FakeMounts;
  readonly turns: TurnStore;
  readonly scripts: TurnScripts;
  readonly commands: CommandStates;
  /** What every request must carry; `null` on a server that only this machine reaches. */
  readonly token: string | null;
  /** The paths that the port answers beside the control API. */
  mounts(): readonly string[];
}

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
  "access-control-allow-headers": "*",
};

/** Every route of the control API, in the order of its document. To add one is to add a row to one of these tables. */
function routeTable(dependencies: ControlDependencies): readonly Route[] {
  const table: Route[] = [
    ...serverRoutes(dependencies, () => table),
    ...journalRoutes(dependencies),
    ...eventsRoutes(dependencies),
    ...fixturesRoutes(dependencies),
    ...modelsRoutes(dependencies),
    ...fakesRoutes(dependencies),
    ...testsRoutes(dependencies),
    ...usageRoutes(dependencies),
    ...commandsRoutes(dependencies),
    {
      route: "GET /openapi.json",
      summary: "This document (OpenAPI 3.1)",
      ok: ANY,
      answer: () => jsonReply(200, openApiOf(table, CONTROL_PREFIX)),
    },
  ];
  return table;
}

/** Answers every request under `/__aimock` (sheet of the wire, 8; this product's own routes are `tests.ts`). */
export function createControl(dependencies: ControlDependencies): (exchange: Exchange) => Reply {
  const routes = new Map<string, Route>(routeTable(dependencies).map((route) => [route.route, route]));
  const guard = createGuard(dependencies.token);

  function answer(exchange: Exchange): Reply {
    if (exchange.method === "OPTIONS") return { status: 204, headers: {}, body: "" };
    const refusal = guard(exchange);
    if (refusal !== undefined) return refusal;
    const route = routes.get(`${exchange.method} ${exchange.path.slice(CONTROL_PREFIX.length)}`);
    if (route === undefined) {
      const message = `Unknown control endpoint: ${exchange.path}`;
      return jsonReply(404, { error: { message, type: "not_found" } });
    }
    try {
      return route.answer(readRequest(exchange, route.params ?? {}, dependencies.limits));
    } catch (error) {
      return toErrorReply(error);
    }
  }

  return (exchange) => {
    const reply = answer(exchange);
    return { ...reply, headers: { ...reply.headers, ...CORS } };
  };
}
