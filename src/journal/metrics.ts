import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { SeenRequest } from "../http/observe.ts";
import { LIMITS, type LimitName, type Limits } from "../limits.ts";
import type { JournalRecord } from "./journal.ts";

/** What the numbers are read from at the moment they are asked for. */
export interface MetricsSources {
  readonly limits: Limits;
  /** LLM fixtures that are loaded. */
  fixtures(): number;
  /** Blocks of fakes by the mount that serves them. */
  blocks(): readonly { readonly mount: string; readonly count: number }[];
  /** A path as a label: one of few, whatever clients ask for. */
  labelOf(path: string): string;
}

/** The numbers of one server (sheet of the wire, 8.4, and answered fakes, loaded blocks and met limits beside them). */
export interface Metrics {
  readonly contentType: string;
  /** Takes every request, whatever became of it. */
  observe(seen: SeenRequest): void;
  /** Takes every journal record. */
  record(record: JournalRecord): void;
  text(): Promise<string>;
}

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(sources: MetricsSources): Metrics {
  const registers = [new Registry()];
  const [register = new Registry()] = registers;
  const requests = new Counter({
    name: "aimock_requests_total",
    help: "HTTP requests",
    labelNames: ["method", "path", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "aimock_request_duration_seconds",
    help: "Time from a request's head to the end of its answer",
    labelNames: ["method", "path"],
    buckets: BUCKETS,
    registers,
  });
  const messages = new Counter({
    name: "aimock_mcp_requests_total",
    help: "MCP messages",
    labelNames: ["method"],
    registers,
  });
  const failures = new Counter({
    name: "aimock_mcp_fake_failures_total",
    help: "Tool calls, reads and prompts that a scenario did not foresee",
    labelNames: ["code"],
    registers,
  });
  const answered = new Counter({
    name: "aimock_mcp_fakes_answered_total",
    help: "Tool calls, reads and prompts that a fake answered",
    labelNames: ["mount"],
    registers,
  });
  new Gauge({
    name: "aimock_fixtures_loaded",
    help: "LLM fixtures that are loaded",
    registers,
    collect() {
      this.set(sources.fixtures());
    },
  });
  new Gauge({
    name: "aimock_mcp_fake_blocks_loaded",
    help: "Blocks of fakes that are loaded",
    labelNames: ["mount"],
    registers,
    collect() {
      this.reset();
      for (const { mount, count } of sources.blocks()) this.set({ mount }, count);
    },
  });
  new Counter({
    name: "aimock_limit_hits_total",
    help: "How often each limit of the server was met",
    labelNames: ["limit"],
    registers,
    collect() {
      const names = Object.keys(LIMITS) as LimitName[]; // the table's own keys
      this.reset();
      for (const limit of names) this.inc({ limit }, sources.limits.hits(limit));
    },
  });

  return {
    contentType: register.contentType,
    observe({ method, path, status, seconds }) {
      const labels = { method: VERBS.has(method) ? method : "other", path: sources.labelOf(path) };
      requests.inc({ ...labels, status });
      durations.observe(labels, seconds);
    },
    record(record) {
      if (record.service !== "mcp") return;
      messages.inc({ method: methodOf(record) });
      const call = record.mcp?.call ?? record.mcp?.read ?? record.mcp?.prompt;
      if (call?.outcome === "answered") answered.inc({ mount: call.mount });
      const code = failureCodeOf(call?.error?.data);
      if (code !== undefined) failures.inc({ code });
    },
    // The sheet's text has no descriptions, and the library writes one with each metric.
    text: async () => (await register.metrics()).replace(/^# HELP .*\n/gm, ""),
  };
}

const VERBS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Clients may send any text as a method; labels must stay few. */
const METHODS = new Set([
  "completion/complete",
  "initialize",
  "logging/setLevel",
  "notifications/cancelled",
  "notifications/initialized",
  "notifications/progress",
  "notifications/roots/list_changed",
  "ping",
  "prompts/get",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/subscribe",
  "resources/templates/list",
  "resources/unsubscribe",
  "response",
  "server/discover",
  "subscriptions/listen",
  "tools/call",
  "tools/list",
]);

function methodOf({ mcp, method }: JournalRecord): string {
  if (mcp === null) return method === "DELETE" ? "session/delete" : "unknown";
  return METHODS.has(mcp.method) ? mcp.method : "unknown";
}

/** The code of a fake failure, from the data of the error that was sent. */
function failureCodeOf(data: unknown): string | undefined {
  if (typeof data !== "object" || data === null || !("aimock" in data)) return undefined;
  const { aimock } = data;
  return typeof aimock === "object" && aimock !== null && "code" in aimock ? String(aimock.code) : undefined;
}
