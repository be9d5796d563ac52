import type { LLMockOptions } from "../options.ts";
import { LOG_LEVELS } from "../logger.ts";
import { UsageError } from "./command.ts";

/** What `serve` starts with. */
export interface ServeOptions {
  readonly options: LLMockOptions;
  /** Whether the ready line is JSON. */
  readonly json: boolean;
}

interface Flag {
  readonly flags: string;
  readonly about: string;
}

/** The flags of `serve`, as its help shows them. */
export const SERVE_FLAGS: readonly Flag[] = [
  { flags: "-p, --port <n>", about: "port; 0 for a free one (default: 4010)" },
  { flags: "--host <address>", about: "address to bind (default: 127.0.0.1)" },
  { flags: "--token <text>", about: "what the control API asks for; needed off loopback (default: MCP_FAKES_TOKEN)" },
  { flags: "--metrics", about: "serve Prometheus text at /metrics" },
  { flags: "--log-level <level>", about: `${LOG_LEVELS.join(", ")} (default: info)` },
  { flags: "--journal-max <n>", about: "most journal records kept; 0 keeps all (default: 10000)" },
  { flags: "--fixture-counts-max <n>", about: "most test ids whose used entries are kept; 0 keeps all (default: 500)" },
  { flags: "--json", about: "print the ready line as JSON: { url }" },
];

const DEFAULT_PORT = 4010;

/** Flags win over the environment. Throws a `UsageError` for a flag whose value is no number. */
export function readServeOptions(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): ServeOptions {
  const token = flags.token ?? environment.MCP_FAKES_TOKEN;
  const given = {
    port: numberOf("--port", flags.port) ?? DEFAULT_PORT,
    host: flags.host,
    token,
    metrics: flags.metrics,
    logLevel: flags.logLevel ?? "info",
    journalMax: numberOf("--journal-max", flags.journalMax),
    fixtureCountsMax: numberOf("--fixture-counts-max", flags.fixtureCountsMax),
  };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { options: Object.fromEntries(set), json: flags.json === true };
}

function numberOf(flag: string, text: unknown): number | undefined {
  if (text === undefined) return undefined;
  if (typeof text === "string" && /^\d+$/.test(text)) return Number(text);
  throw new UsageError(`${flag} must be an integer of 0 or more, got ${JSON.stringify(text)}`);
}
