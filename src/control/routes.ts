import { type Exchange, jsonReply, type Reply } from "../http/exchange.ts";
import { CONTROL_PREFIX, type FakeMounts } from "../mcp/fake-mounts.ts";
import type { MCPMockHost } from "../mcp/mcp-mock.ts";
import { fakesRoutes } from "./fakes.ts";
import { fixturesRoutes } from "./fixtures.ts";
import { journalRoutes } from "./journal.ts";
import { type ControlRequest, readRequest, toErrorReply } from "./request.ts";
import { testsRoutes } from "./tests.ts";

/** What the control API steers. */
export interface ControlDependencies extends MCPMockHost {
  readonly fakes: FakeMounts;
}

/** One route: its verb and path below `/__aimock`, the query parameters it knows, and what it answers. */
export interface Route {
  readonly route: `${"GET" | "POST" | "DELETE"} /${string}`;
  readonly params?: readonly string[];
  answer(request: ControlRequest): Reply;
}

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
  "access-control-allow-headers": "*",
};

/** Answers every request under `/__aimock` (sheet of the wire, 8; this product's own routes are `tests.ts`). */
export function createControl(dependencies: ControlDependencies): (exchange: Exchange) => Reply {
  const table: readonly Route[] = [
    { route: "GET /health", answer: () => jsonReply(200, { status: "ok" }) },
    ...journalRoutes(dependencies),
    ...fixturesRoutes(dependencies),
    ...fakesRoutes(dependencies),
    ...testsRoutes(dependencies),
  ];
  const routes = new Map<string, Route>(table.map((route) => [route.route, route]));

  function answer(exchange: Exchange): Reply {
    if (exchange.method === "OPTIONS") return { status: 204, headers: {}, body: "" };
    const route = routes.get(`${exchange.method} ${exchange.path.slice(CONTROL_PREFIX.length)}`);
    if (route === undefined) {
      const message = `Unknown control endpoint: ${exchange.path}`;
      return jsonReply(404, { error: { message, type: "not_found" } });
    }
    try {
      return route.answer(readRequest(exchange, route.params ?? []));
    } catch (error) {
      return toErrorReply(error);
    }
  }

  return (exchange) => {
    const reply = answer(exchange);
    return { ...reply, headers: { ...reply.headers, ...CORS } };
  };
}
