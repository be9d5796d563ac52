import { LOG_LEVELS, type LogLevel } from "./logger.ts";

/** Options of `LLMock`. */
export interface LLMockOptions {
  /** Address to bind; default `"127.0.0.1"`. */
  host?: string;
  /** Port to bind; default 0, a free one. */
  port?: number;
  /** How much is logged, on stderr; default `"warn"`. Fake failures (`MCP-FAKE:` lines) are level `error`. */
  logLevel?: LogLevel;
  /** Most journal records kept; the oldest go first. Default 10,000; 0 keeps all. */
  journalMax?: number;
  /** Most test ids whose used entries are kept on each mount. Default 500; 0 keeps all. */
  fixtureCountsMax?: number;
}

export type NormalOptions = Required<LLMockOptions>;

export const DEFAULTS: NormalOptions = {
  host: "127.0.0.1",
  port: 0,
  logLevel: "warn",
  journalMax: 10_000,
  fixtureCountsMax: 500,
};

/** Largest request body in bytes. */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;

const CHECKS: { readonly [Key in keyof NormalOptions]: { allowed: string; test(value: unknown): boolean } } = {
  host: { allowed: "a non-empty string", test: (value) => typeof value === "string" && value !== "" },
  port: { allowed: "an integer from 0 to 65535", test: (value) => isCount(value) && value <= 65_535 },
  logLevel: { allowed: LOG_LEVELS.join(", "), test: (value) => LOG_LEVELS.some((level) => level === value) },
  journalMax: { allowed: "an integer of 0 or more", test: isCount },
  fixtureCountsMax: { allowed: "an integer of 0 or more", test: isCount },
};

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}

/** Fills in defaults. Throws one `TypeError` that names every unknown key and every bad value. */
export function normalizeOptions(given: LLMockOptions): NormalOptions {
  const problems: string[] = [];
  for (const [key, value] of Object.entries(given)) {
    const check = Object.entries(CHECKS).find(([known]) => known === key)?.[1];
    if (check === undefined)
      problems.push(`unknown option "${key}"; the options are ${Object.keys(CHECKS).join(", ")}`);
    else if (value !== undefined && !check.test(value)) {
      problems.push(`${key} must be ${check.allowed}, got ${JSON.stringify(value) ?? String(value)}`);
    }
  }
  if (problems.length > 0) throw new TypeError(`LLMock options: ${problems.join("; ")}`);
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...Object.fromEntries(set) };
}
