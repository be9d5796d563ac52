import { plainError } from "./own-errors.ts";
import { show } from "./show.ts";

/** What turns a test red at its end: fake failures and unknown tools (`failures`), these and unused fakes (`all`), or nothing. */
export type Verify = "all" | "failures" | "off";

/** What the plugins take; every option may be left out. */
export interface McpFakesOptions {
  /** Fixture files and folders, relative to the project root. Anything in them that cannot be honoured fails the start. */
  fixtures?: string | string[];
  /**
   * A module, TypeScript too, relative to the project root. It runs beside the server; its default export gets the
   * `LLMock` and registers tools, handlers, resources, prompts and mounts.
   */
  setup?: string;
  /** MCP mounts that exist even when no fixture names them. The first is what `mcp.url` points to. Default `"/mcp"`. */
  mount?: string | string[];
  /** Address the server listens on. Default `"127.0.0.1"`. */
  host?: string;
  /** Port the server listens on. Default: a free one. */
  port?: number;
  /** Uses the server that already runs here (`http://host:port`) instead of starting one. */
  url?: string;
  /** What turns a test red at its end. Default `"all"`. */
  verify?: Verify;
  /**
   * What to do at the run's end about requests that carried no test id. Reads of resources and uses of prompts never make
   * the run fail. Default `"warn"`.
   */
  untagged?: "error" | "warn" | "off";
  /** Sets `OPENAI_BASE_URL` and `ANTHROPIC_BASE_URL` in the workers. Default `true`. */
  patchEnv?: boolean;
  /** What the server logs. `MCP-FAKE:` lines are level `error`. Default `"warn"`. */
  logLevel?: "silent" | "error" | "warn" | "info" | "debug";
  /** How many test ids the server keeps counts for; 0 = no cap. Default 0. */
  fixtureCountsMax?: number;
  /** How many journal records the server keeps; 0 = no cap. Default 10,000. */
  journalMax?: number;
}

/** The options with every field there. Paths are still relative to the project root. */
export interface RunOptions {
  readonly fixtures: readonly string[];
  readonly setup: string | null;
  readonly mounts: readonly [string, ...string[]];
  readonly host: string;
  readonly port: number | null;
  readonly url: string | null;
  readonly verify: Verify;
  readonly untagged: "error" | "warn" | "off";
  readonly patchEnv: boolean;
  readonly logLevel: "silent" | "error" | "warn" | "info" | "debug";
  readonly fixtureCountsMax: number;
  readonly journalMax: number;
}

/**
 * Checks what a user gave and fills in what is missing.
 *
 * @throws {Error} naming every unknown option and every value of the wrong type at once.
 *
 * @example
 * readOptions({ fixtures: "./fixtures" }).fixtures; // ["./fixtures"]
 */
export function readOptions(given: McpFakesOptions, { others = [], elsewhere }: Beside = {}): RunOptions {
  const problems = [...problemsOf(given, elsewhere), ...others];
  if (problems.length > 0)
    throw plainError(`mcp-fakes cannot start:\n${problems.map((text) => `  - ${text}`).join("\n")}`);
  const { fixtures = [], mount = "/mcp" } = given;
  const [firstMount = "/mcp", ...otherMounts] = list(mount);
  return {
    fixtures: list(fixtures),
    setup: given.setup ?? null,
    mounts: [firstMount, ...otherMounts],
    host: given.host ?? "127.0.0.1",
    port: given.port || null,
    url: given.url === undefined ? null : new URL(given.url).origin,
    verify: given.verify ?? "all",
    untagged: given.untagged ?? "warn",
    patchEnv: given.patchEnv ?? true,
    logLevel: given.logLevel ?? "warn",
    fixtureCountsMax: given.fixtureCountsMax ?? 0,
    journalMax: given.journalMax ?? 10_000,
  };
}

/** What a runner adds to what is wrong with the options. */
interface Beside {
  /** Problems of its own, told with those of the options. */
  readonly others?: readonly string[];
  /** Where its own options belong. */
  readonly elsewhere?: string;
}

/** Whether a value is one of the words of `verify`. */
export function isVerify(value: unknown): value is Verify {
  return RULES.verify.accepts(value);
}

interface Rule {
  /** Completes "must be …". */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
  /** The option is about the server that the plugin starts, so it cannot be kept with `url`. */
  readonly startsServer?: true;
}

const path: Rule = { expected: "a path", accepts: isText };
const count: Rule = {
  expected: "a whole number, 0 or more",
  accepts: (value) => isInteger(value, Number.MAX_SAFE_INTEGER),
};

const RULES: Readonly<Record<keyof McpFakesOptions, Rule>> = {
  fixtures: {
    expected: "a path or an array of paths",
    accepts: (value) => isListOf(value, isText),
    startsServer: true,
  },
  setup: { ...path, startsServer: true },
  mount: {
    expected: 'a path that starts with "/", or an array with at least one',
    accepts: (value) => isListOf(value, isMount) && list(value).length > 0,
  },
  host: { expected: "a host name or an address", accepts: isText, startsServer: true },
  port: {
    expected: "a whole number from 0 to 65535",
    accepts: (value) => isInteger(value, 65_535),
    startsServer: true,
  },
  url: { expected: 'the origin of a running server, like "http://127.0.0.1:4010"', accepts: isOrigin },
  verify: oneOf("all", "failures", "off"),
  untagged: oneOf("error", "warn", "off"),
  patchEnv: { expected: "true or false", accepts: (value) => typeof value === "boolean" },
  logLevel: { ...oneOf("silent", "error", "warn", "info", "debug"), startsServer: true },
  fixtureCountsMax: { ...count, startsServer: true },
  journalMax: { ...count, startsServer: true },
};

function problemsOf(given: unknown, elsewhere = ""): string[] {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return [`the options must be an object, got ${show(given)}.`];
  }
  const rules: Readonly<Record<string, Rule | undefined>> = RULES;
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const foreign = entries.some(([name]) => name === "url");
  return entries.flatMap(([name, value]) => {
    const rule = Object.hasOwn(RULES, name) ? rules[name] : undefined;
    if (rule === undefined) {
      return [`there is no option "${name}". The options are ${Object.keys(RULES).join(", ")}.${elsewhere}`];
    }
    if (!rule.accepts(value)) return [`"${name}" must be ${rule.expected}, got ${show(value)}.`];
    if (foreign && rule.startsServer) {
      return [`"${name}" cannot be used with "url": the server that runs there was started without it. Leave one out.`];
    }
    return [];
  });
}

function oneOf(...words: string[]): Rule {
  const quoted = words.map((word) => `"${word}"`);
  return {
    expected: `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`,
    accepts: (value) => typeof value === "string" && words.includes(value),
  };
}

function list<T>(value: T | readonly T[]): readonly T[] {
  const items: T[] = [];
  return items.concat(value);
}

function isListOf(value: unknown, accepts: (item: unknown) => boolean): boolean {
  return list(value).every(accepts);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isMount(value: unknown): boolean {
  return isText(value) && value.startsWith("/");
}

function isInteger(value: unknown, most: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most;
}

function isOrigin(value: unknown): boolean {
  if (!isText(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.protocol === "http:" && url.pathname === "/" && url.search === "" && url.hash === "";
}
