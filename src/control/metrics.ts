import type { Exchange, Reply } from "../http/exchange.ts";
import type { SeenRequest } from "../http/observe.ts";
import type { Metrics } from "../journal/metrics.ts";
import { routeOf } from "../llm/routes.ts";
import { CONTROL_PREFIX } from "../mcp/fake-mounts.ts";
import { createGuard } from "./guard.ts";
import type { ControlDependencies } from "./routes.ts";

/** `GET /metrics`, and what it counts. */
export interface MetricsPage {
  /** Loads the metrics library; a server that nobody counts never pays for it. */
  load(): Promise<void>;
  observe(seen: SeenRequest): void;
  /** `undefined` for any other request. */
  answer(exchange: Exchange): Reply | Promise<Reply> | undefined;
}

export function createMetricsPage({ journal, limits, fakes, turns, token, mounts }: ControlDependencies): MetricsPage {
  const guard = createGuard(token);
  let metrics: Metrics | null = null;

  async function page({ text, contentType }: Metrics): Promise<Reply> {
    return { status: 200, headers: { "content-type": contentType }, body: await text() };
  }

  return {
    async load() {
      if (metrics !== null) return;
      const { createMetrics } = await import("../journal/metrics.ts");
      metrics = createMetrics({
        limits,
        fixtures: () => turns.fixtures().length,
        blocks: () => fakes.mocks().map(({ mount, fakes: store }) => ({ mount, count: store.count })),
        labelOf: (path) => labelOf(path, mounts()),
      });
      journal.subscribe(metrics.record);
    },
    observe: (seen) => metrics?.observe(seen),
    answer(exchange) {
      if (metrics === null || exchange.path !== "/metrics" || exchange.method !== "GET") return undefined;
      return guard(exchange) ?? page(metrics);
    },
  };
}

const MODEL_PATHS = ["/v1/chat/completions", "/v1/responses", "/v1/embeddings", "/v1/messages", "/v1/models"];

/** Mounts and models' usual paths stand as they are, what is below them as `{other}`; anything else is `{unknown}`. */
function labelOf(path: string, mounts: readonly string[]): string {
  const known = ["/metrics", CONTROL_PREFIX, ...mounts, ...MODEL_PATHS];
  if (known.includes(path)) return path;
  const above = known.filter((each) => path.startsWith(`${each}/`)).sort((a, b) => b.length - a.length)[0];
  if (above !== undefined) return `${above}/{other}`;
  return routeOf(path) === undefined ? "{unknown}" : "{model}";
}
