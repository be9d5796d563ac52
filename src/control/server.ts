import { jsonReply } from "../http/exchange.ts";
import { LIMITS, type LimitName } from "../limits.ts";
import { CONTROL_PREFIX } from "../mcp/fake-mounts.ts";
import type { Route } from "./route.ts";
import type { ControlDependencies } from "./routes.ts";
import { COUNT, list, object, orNull, TEXT } from "./schemas.ts";

/** The server itself: whether it is there, what it answers, what it takes. */
export function serverRoutes(
  { limits, mounts }: Pick<ControlDependencies, "limits" | "mounts">,
  table: () => readonly Route[],
): Route[] {
  return [
    {
      route: "GET /health",
      summary: "Whether the server answers",
      ok: object({ status: { const: "ok" } }),
      answer: () => jsonReply(200, { status: "ok" }),
    },
    {
      route: "GET /routes",
      summary: "Every mount, and every route of the control API",
      ok: object({ count: COUNT, routes: list(object({ method: TEXT, path: TEXT })) }),
      answer() {
        const routes = [
          ...mounts().map((path) => ({ method: "*", path })),
          ...table().map(({ route }) => {
            const [method, path] = route.split(" ");
            return { method, path: `${CONTROL_PREFIX}${path}` };
          }),
        ];
        return jsonReply(200, { count: routes.length, routes });
      },
    },
    {
      route: "GET /limits",
      summary: "How much the server takes of whom, and how often each limit was met",
      ok: list(object({ name: TEXT, max: COUNT, unit: TEXT, status: orNull(COUNT), effect: TEXT, hits: COUNT })),
      answer() {
        const names = Object.keys(LIMITS) as LimitName[]; // the table's own keys
        return jsonReply(
          200,
          names.map((name) => ({ name, ...LIMITS[name], max: limits.max[name], hits: limits.hits(name) })),
        );
      },
    },
  ];
}
