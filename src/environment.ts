import type { Mode } from "./fakes/script.ts";

/** What the environment says; `null` where it says nothing. Source: mock seed, "Environment variables". */
export interface Environment {
  /** `MOCKMCP_FIXTURE`: the fixture to serve when none is named. */
  readonly fixture: string | null;
  /** `MOCKMCP_LOG`: path of the call log. */
  readonly log: string | null;
  /** `MOCKMCP_STRICT=1`: an unknown tool is a protocol error. */
  readonly strict: boolean;
  /** `MOCKMCP_MODE`: the mode of fixtures that name none. */
  readonly mode: Mode | null;
  /** `MOCKMCP_UNEXPECTED=error`: an unexpected call is a protocol error. */
  readonly unexpected: "tool-error" | "error" | null;
  /** `MOCKMCP_REPLAY`: a cassette to serve instead of a fixture. */
  readonly replay: string | null;
  /** `MOCKMCP_RECORD`: a cassette that a proxy writes. */
  readonly record: string | null;
  /** `MOCKMCP_FINALIZE_TOOL`: another name for `mockmcp_finalize`. */
  readonly finalizeTool: string | null;
  /** `MCP_FAKES_REDACT`: values that no recording may hold, separated by commas. */
  readonly redact: readonly string[];
  /** `CI`: nothing is recorded unless asked for. */
  readonly isCi: boolean;
}

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variables of `mcp-fakes`. An empty one says nothing. Throws one `TypeError` that names every bad value.
 *
 * @example readEnvironment({ MOCKMCP_MODE: "lenient" }).mode // "lenient"
 */
export function readEnvironment(variables: Variables = process.env): Environment {
  const problems: string[] = [];
  const word = <Word extends string>(name: string, words: readonly Word[]): Word | null => {
    const value = text(variables, name);
    const known = words.find((each) => each === value);
    if (value !== null && known === undefined) problems.push(`${name} must be ${words.join(", ")}, got "${value}"`);
    return known ?? null;
  };
  const environment: Environment = {
    fixture: text(variables, "MOCKMCP_FIXTURE"),
    log: text(variables, "MOCKMCP_LOG"),
    strict: isOn(word("MOCKMCP_STRICT", ["0", "1", "false", "true"])),
    mode: word("MOCKMCP_MODE", ["strict", "lenient", "passthrough"]),
    unexpected: word("MOCKMCP_UNEXPECTED", ["error", "tool-error"]),
    replay: text(variables, "MOCKMCP_REPLAY"),
    record: text(variables, "MOCKMCP_RECORD"),
    finalizeTool: text(variables, "MOCKMCP_FINALIZE_TOOL"),
    redact: list(variables, "MCP_FAKES_REDACT", ","),
    isCi: isOn(text(variables, "CI")),
  };
  if (problems.length > 0) throw new TypeError(`Environment: ${problems.join("; ")}`);
  return environment;
}

/** What the environment says to a shim. */
export interface ShimEnvironment {
  /** `MOCKCLI_FIXTURE`: what the commands answer. */
  readonly fixture: string | null;
  /** `MOCKCLI_LOG`: path of the call log. */
  readonly log: string | null;
  /** `MOCKCLI_RECORD`: a cassette; the real commands run and are recorded there. */
  readonly record: string | null;
  /** `MOCKCLI_SHIM_DIR`: the folder of the shims, which the real commands are looked for past. */
  readonly shimDir: string | null;
  /** `MCP_FAKES_URL`, `MCP_FAKES_TEST_ID`, `MCP_FAKES_TOKEN`: the server that keeps the test's state and journal. */
  readonly serverUrl: string | null;
  readonly testId: string | null;
  readonly token: string | null;
  readonly redact: readonly string[];
  readonly path: string;
  /** `PATHEXT`: the endings of programs on Windows. */
  readonly pathExtensions: readonly string[];
  /** All of it: a recording must not hold the secrets of a process's environment. */
  readonly variables: Record<string, string>;
}

/** Reads the variables of a shim; an empty one says nothing. */
export function readShimEnvironment(variables: Variables = process.env): ShimEnvironment {
  return {
    fixture: text(variables, "MOCKCLI_FIXTURE"),
    log: text(variables, "MOCKCLI_LOG"),
    record: text(variables, "MOCKCLI_RECORD"),
    shimDir: text(variables, "MOCKCLI_SHIM_DIR"),
    serverUrl: text(variables, "MCP_FAKES_URL"),
    testId: decoded(text(variables, "MCP_FAKES_TEST_ID")),
    token: text(variables, "MCP_FAKES_TOKEN"),
    redact: list(variables, "MCP_FAKES_REDACT", ","),
    path: variables.PATH ?? "",
    pathExtensions: list(variables, "PATHEXT", ";"),
    variables: Object.fromEntries(
      Object.entries(variables).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    ),
  };
}

function list(variables: Variables, name: string, separator: string): readonly string[] {
  return (variables[name] ?? "").split(separator).filter((value) => value !== "");
}

function text(variables: Variables, name: string): string | null {
  const value = variables[name];
  return value === undefined || value === "" ? null : value;
}

/** A test id as a header carries it, or as it is. */
function decoded(value: string | null): string | null {
  try {
    return value === null ? null : decodeURIComponent(value);
  } catch {
    return value;
  }
}

function isOn(value: string | null): boolean {
  return value !== null && value !== "0" && value !== "false";
}
