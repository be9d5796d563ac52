import { Option } from "commander";
import { LOG_LEVELS } from "../logger.ts";
import type { LLMockOptions } from "../options.ts";
import { UsageError } from "./command.ts";
import { type Config, type McpConfig, readConfig } from "./config.ts";
import { numberOf } from "./listen.ts";

/** What `serve` starts with. */
export interface ServeOptions {
  readonly options: LLMockOptions & Required<Pick<LLMockOptions, "port" | "logLevel">>;
  /** Whether the ready line is JSON. */
  readonly json: boolean;
  readonly watch: boolean;
  /** Fixture sources of the config file, absolute. */
  readonly fixtures: readonly string[];
  /** Servers of the config file. */
  readonly mcp: readonly McpConfig[];
}

interface Flag {
  readonly flags: string;
  readonly about: string;
  /** The flags that would do nothing beside it. */
  readonly conflicts?: readonly string[];
}

const FLAGS: readonly Flag[] = [
  { flags: "-c, --config <file>", about: "a config file; flags win over what it says" },
  { flags: "-p, --port <n>", about: "port; 0 for a free one (default: 4010)" },
  { flags: "--host <address>", about: "address to bind (default: 127.0.0.1)" },
  { flags: "--token <text>", about: "what the control API asks for; needed off loopback (default: MCP_FAKES_TOKEN)" },
  {
    flags: "--stdio",
    about: "speak MCP over stdin and stdout, to one client; nothing else is printed there",
    conflicts: ["port", "host", "token", "watch", "strict", "latency", "chunkSize", "metrics", "json"],
  },
  {
    flags: "--url <url>",
    about: "with --stdio: join the client to a server that runs already",
    conflicts: ["config", "mode", "log", "logLevel", "journalMax", "fixtureCountsMax"],
  },
  { flags: "--mount <path>", about: "with --stdio: the MCP mount (default: /mcp)" },
  { flags: "--test-id <id>", about: "with --stdio: the test whose view the client gets" },
  { flags: "--context <name>", about: "with --stdio: the context that the client's calls are made in" },
  { flags: "--mode <mode>", about: "strict, lenient or passthrough, for every fixture with expectations" },
  { flags: "--log <file>", about: "append each call as a line of JSON (default: MOCKMCP_LOG)" },
  { flags: "-w, --watch", about: "load changed sources anew; a change with problems is refused, and shown" },
  { flags: "--strict", about: "answer a model request that no fixture takes with 503, not 404" },
  { flags: "--latency <ms>", about: "wait before each chunk of a model's answer (default: 0)" },
  { flags: "--chunk-size <n>", about: "characters of a chunk of a model's answer (default: 20)" },
  { flags: "--metrics", about: "serve Prometheus text at /metrics" },
  { flags: "--log-level <level>", about: `${LOG_LEVELS.join(", ")} (default: info)` },
  { flags: "--journal-max <n>", about: "most journal records kept; 0 keeps all (default: 10000)" },
  { flags: "--fixture-counts-max <n>", about: "most test ids whose used entries are kept; 0 keeps all (default: 500)" },
  { flags: "--json", about: "print the ready line as JSON: { url }" },
];

/** The flags of `serve`, as its help shows them. Those of one way to serve are refused beside another. */
export const SERVE_FLAGS: readonly Option[] = FLAGS.map(({ flags, about, conflicts = [] }) =>
  new Option(flags, about).conflicts([...conflicts]),
);

/** Throws a `UsageError` that names what was given and nothing would come of. */
export function refuseIdle(paths: readonly string[], given: Readonly<Record<string, unknown>>): void {
  const ofStdio = Object.entries(STDIO_FLAGS).flatMap(([name, flag]) => (given[name] === undefined ? [] : flag));
  if (given.stdio !== true && ofStdio.length > 0) throw new UsageError(`only with --stdio: ${ofStdio.join(", ")}`);
  if (given.url !== undefined && paths.length > 0) {
    const served = `what is served is what the server at ${given.url} has loaded`;
    throw new UsageError(`no paths with --url, got ${paths.join(", ")}: ${served}`);
  }
}

const STDIO_FLAGS = { url: "--url", mount: "--mount", testId: "--test-id", context: "--context" };

/** Flags win over the config file. Throws a `UsageError` that says all that is wrong with either. */
export function readServeOptions(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): ServeOptions {
  const config = flags.config === undefined ? NO_CONFIG : readConfig(String(flags.config));
  const { fixtures, mcp, watch, ...fromConfig } = config;
  const { host, token = environment.MCP_FAKES_TOKEN, mode, log, strict, metrics, logLevel } = flags;
  const numbers = NUMBERS.map((name) => [name, numberOf(flags[name])]);
  const fromFlags = { host, token, mode, log, strict, metrics, logLevel, ...Object.fromEntries(numbers) };
  return {
    options: { ...DEFAULTS, ...defined(fromConfig), ...defined(fromFlags) },
    json: flags.json === true,
    watch: flags.watch === true || watch === true,
    fixtures,
    mcp,
  };
}

/** The flags that take a number. */
const NUMBERS = ["port", "latency", "chunkSize", "journalMax", "fixtureCountsMax"];

const DEFAULTS = { port: 4010, logLevel: "info" } as const;

const NO_CONFIG: Config = { fixtures: [], mcp: [] };

function defined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
