import type { ServerFault } from "../fakes/fault.ts";
import { check, showPath } from "../files/explain.ts";
import { serverFaults, serverFaultsOf } from "../fixtures/fault-schema.ts";
import type { McpServerFault } from "../fixtures/fault-types.ts";
import { type Check, DEFAULTS, HOST_CHECK, PORT_CHECK, problemsOf } from "../options.ts";
import { type McpServerOptions, type NormalServerOptions, SERVER_CHECKS, withDefaults } from "./profile.ts";

/** Options of `MCPMock`. */
export interface MCPMockOptions extends McpServerOptions {
  /** Address that `start()` binds; default `"127.0.0.1"`. */
  host?: string;
  /** Port that `start()` binds; default 0, a free one. */
  port?: number;
  /**
   * Whether the old HTTP+SSE transport (MCP 2024-11-05) is served as well, at `/sse` and `/message` below the mock's own
   * path; default false.
   */
  sse?: boolean;
  /** What goes wrong on purpose, by method and by the index of a test's requests; see `McpServerFault`. Default nothing. */
  faults?: readonly McpServerFault[];
}

/** The options with each field set. */
export interface NormalMockOptions extends NormalServerOptions {
  readonly host: string;
  readonly port: number;
  readonly sse: boolean;
  readonly faults: readonly ServerFault[];
}

/** Fills in defaults. Throws one `TypeError` that names every unknown option and every bad value. */
export function normalizeMockOptions(options: MCPMockOptions): NormalMockOptions {
  const { faults = [], ...others } = options;
  const planned = check(serverFaults, Array.isArray(faults) ? faults : []);
  const problems = [
    ...problemsOf(options, CHECKS, "option"),
    ...(planned.ok ? [] : planned.problems.map(({ path, text }) => `faults${showPath(path).slice(1)} ${text}`)),
  ];
  if (problems.length > 0 || !planned.ok) throw new TypeError(`MCPMock options: ${problems.join("; ")}`);
  const { host = DEFAULTS.host, port = DEFAULTS.port, sse = false, ...server } = others;
  return { host, port, sse, faults: serverFaultsOf(planned.value), ...withDefaults(server) };
}

const CHECKS: Readonly<Record<keyof NormalMockOptions, Check>> = {
  host: HOST_CHECK,
  port: PORT_CHECK,
  sse: { allowed: "true or false", test: (value) => typeof value === "boolean" },
  ...SERVER_CHECKS,
  // What is in it is checked by itself, so that each problem is told with its place.
  faults: { allowed: "an array of faults", test: Array.isArray },
};
