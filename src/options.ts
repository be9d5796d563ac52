import { readEnvironment } from "./environment.ts";
import { DEFAULT_FINALIZE_TOOL, type ScriptSettings } from "./fixtures/mock/settings.ts";
import { isLoopback } from "./http/origin.ts";
import { createLimits, LIMITS, type LimitName, type Limits } from "./limits.ts";
import { LOG_LEVELS, type LogLevel } from "./logger.ts";

/** Options of `LLMock`. */
export interface LLMockOptions {
  /** Address to bind; default `"127.0.0.1"`. Any address that other machines can reach needs a `token`. */
  host?: string;
  /** Port to bind; default 0, a free one. */
  port?: number;
  /** How much is logged, on stderr; default `"warn"`. Fake failures (`MCP-FAKE:` lines) are level `error`. */
  logLevel?: LogLevel;
  /** Most journal records kept; the oldest go first. Default 10,000; 0 keeps all. */
  journalMax?: number;
  /** Most test ids whose used entries are kept on each mount. Default 500; 0 keeps all. */
  fixtureCountsMax?: number;
  /** What `/__aimock/*` and `/metrics` ask for as `Authorization: Bearer …`; at least 16 characters. Default none. */
  token?: string;
  /** Serves Prometheus text at `/metrics`. Default false. */
  metrics?: boolean;
  /** Limits other than the two above, by name; see `GET /__aimock/limits` for what each is. */
  limits?: Partial<Record<ChangeableLimit, number>>;
  /** Overrules the `mode` of every fixture with expectations. */
  mode?: (typeof MODES)[number];
  /** Overrules what unexpected calls get from fixtures with expectations. */
  unexpected?: (typeof UNEXPECTED)[number];
  /** The reserved tool that answers whether expectations were met; default `"mockmcp_finalize"`. */
  finalizeTool?: string;
  /** Path of a file that gets a line of JSON for each call; see `CallLog`. Default: `MOCKMCP_LOG`, else none. */
  log?: string;
  /** Milliseconds before each chunk of a model's answer, for scripted turns that say nothing; default 0. */
  latency?: number;
  /** Characters of a chunk of a model's answer, for scripted turns that say nothing; default 20. */
  chunkSize?: number;
  /** Answers a model request that no scripted turn takes with 503 instead of 404, embeddings too; default false. */
  strict?: boolean;
}

/** The ways to treat calls that a fixture's expectations do not name. */
export const MODES = ["strict", "lenient", "passthrough"] as const;

/** What an unexpected call gets: a tool error that the model sees, or a JSON-RPC error. */
const UNEXPECTED = ["tool-error", "error"] as const;

/** The limits that `limits` may change. */
export type ChangeableLimit = Exclude<LimitName, "depth" | "testIds" | "journalRecords">;

/** Options with every default filled in. */
export interface NormalOptions {
  readonly host: string;
  readonly port: number;
  readonly logLevel: LogLevel;
  readonly token: string | null;
  readonly metrics: boolean;
  readonly limits: Limits;
  readonly latency: number;
  readonly chunkSize: number;
  readonly strict: boolean;
  readonly script: ScriptSettings;
  /** Path of the call log; `null` for none. */
  readonly log: string | null;
}

/** What `MCPMock` and the plugins start from too. */
export const DEFAULTS = {
  host: "127.0.0.1",
  port: 0,
  logLevel: "warn",
  journalMax: LIMITS.journalRecords.max,
  fixtureCountsMax: LIMITS.testIds.max,
  latency: 0,
  chunkSize: 20,
  strict: false,
} as const satisfies LLMockOptions;

/** What a value must be: in words, and as a test. */
export interface Check {
  readonly allowed: string;
  test(value: unknown): boolean;
}

const TOKEN_CHARS_MIN = 16;

export const HOST_CHECK: Check = {
  allowed: "a non-empty string",
  test: (value) => typeof value === "string" && value !== "",
};

export const PORT_CHECK: Check = {
  allowed: "an integer from 0 to 65535",
  test: (value) => isCount(value) && value <= 65_535,
};

export const COUNT_CHECK: Check = { allowed: "an integer of 0 or more", test: isCount };

const CHECKS: Readonly<Record<keyof LLMockOptions, Check>> = {
  host: HOST_CHECK,
  port: PORT_CHECK,
  logLevel: { allowed: LOG_LEVELS.join(", "), test: (value) => LOG_LEVELS.some((level) => level === value) },
  journalMax: COUNT_CHECK,
  fixtureCountsMax: COUNT_CHECK,
  token: {
    allowed: `a string of at least ${TOKEN_CHARS_MIN} visible ASCII characters`,
    test: (value) => typeof value === "string" && new RegExp(`^[!-~]{${TOKEN_CHARS_MIN},}$`).test(value),
  },
  metrics: { allowed: "true or false", test: (value) => typeof value === "boolean" },
  limits: { allowed: "an object", test: (value) => typeof value === "object" && value !== null },
  latency: { allowed: "an integer of 0 or more", test: isCount },
  chunkSize: { allowed: "an integer of 1 or more", test: (value) => isCount(value) && value > 0 },
  strict: { allowed: "true or false", test: (value) => typeof value === "boolean" },
  mode: { allowed: MODES.join(", "), test: (value) => MODES.some((mode) => mode === value) },
  unexpected: { allowed: UNEXPECTED.join(", "), test: (value) => UNEXPECTED.some((word) => word === value) },
  finalizeTool: { allowed: "a non-empty string", test: (value) => typeof value === "string" && value !== "" },
  log: { allowed: "a path", test: (value) => typeof value === "string" && value !== "" },
};

const FIXED_LIMITS: readonly string[] = ["depth", "testIds", "journalRecords"];

/** The limits that `limits` may change, as they are told. */
export const CHANGEABLE_LIMITS: readonly string[] = Object.keys(LIMITS).filter((name) => !FIXED_LIMITS.includes(name));

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}

/**
 * Fills in defaults. Throws one `TypeError` that names every unknown key and every bad value, and refuses an address
 * that other machines can reach when there is no token.
 */
export function normalizeOptions(given: LLMockOptions): NormalOptions {
  const { limits: limitsGiven, ...others } = given;
  const problems = [...problemsOf(given, CHECKS, "option"), ...problemsOf(limitsGiven ?? {}, LIMIT_CHECKS, "limit")];
  const { host = DEFAULTS.host, port = DEFAULTS.port, logLevel = DEFAULTS.logLevel, token = null } = others;
  if (problems.length === 0 && token === null && !isLoopback(host)) {
    problems.push(
      `host "${host}" can be reached from other machines, so a token is needed: set token (on the command line --token or MCP_FAKES_TOKEN), or bind 127.0.0.1`,
    );
  }
  if (problems.length > 0) throw new TypeError(`LLMock options: ${problems.join("; ")}`);
  const { journalMax = DEFAULTS.journalMax, fixtureCountsMax = DEFAULTS.fixtureCountsMax, metrics = false } = others;
  const { latency = DEFAULTS.latency, chunkSize = DEFAULTS.chunkSize, strict = DEFAULTS.strict } = others;
  const limits = createLimits({ ...limitsGiven, journalRecords: journalMax, testIds: fixtureCountsMax });
  const script = scriptSettings(others);
  return {
    host,
    port,
    logLevel,
    token,
    metrics,
    limits,
    latency,
    chunkSize,
    strict,
    script,
    log: others.log ?? readEnvironment().log,
  };
}

/** What options say overrules fixtures, what the environment says is for fixtures that do not say it. */
export function scriptSettings({
  mode,
  unexpected,
  finalizeTool,
  strict,
}: Pick<LLMockOptions, "mode" | "unexpected" | "finalizeTool" | "strict"> = {}): ScriptSettings {
  const environment = readEnvironment();
  return {
    mode: mode ?? null,
    defaultMode: environment.mode,
    unexpected: unexpected ?? null,
    defaultUnexpected: environment.unexpected ?? "tool-error",
    unknownTool: (strict ?? environment.strict) ? "error" : "tool-error",
    finalizeTool: finalizeTool ?? environment.finalizeTool ?? DEFAULT_FINALIZE_TOOL,
  };
}

const LIMIT_CHECKS: Readonly<Record<string, Check>> = Object.fromEntries(
  CHANGEABLE_LIMITS.map((name) => [
    name,
    { allowed: "an integer of 1 or more", test: (value) => isCount(value) && value > 0 },
  ]),
);

/** One line for each unknown key and each bad value; `what` is the word for one of them. */
export function problemsOf(given: object, checks: Readonly<Record<string, Check>>, what: string): string[] {
  return Object.entries(given).flatMap(([key, value]) => {
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
    if (check === undefined) return [`unknown ${what} "${key}"; the ${what}s are ${Object.keys(checks).join(", ")}`];
    if (value === undefined || check.test(value)) return [];
    return [`${key} must be ${check.allowed}, got ${JSON.stringify(value) ?? String(value)}`];
  });
}
