import type { RunOptions } from "../shared/options.ts";
import type { RunFacts } from "../shared/worker-state.ts";

/** What `withMcpFakes` leaves in a project's `globals`, the one part of it that hooks and test files both see. */
export interface Settings {
  /** Tells the projects of a run apart. */
  readonly id: number;
  readonly options: RunOptions;
  /** What stood in the configuration where the plugin's own modules stand now; as it was written there. */
  readonly own: {
    readonly globalSetup: string | null;
    readonly globalTeardown: string | null;
    readonly testRunner: string | null;
    readonly preset: string | null;
  };
}

/** Under this name. */
export const SETTINGS = "mcp-fakes";

/**
 * The settings in a project's `globals`.
 *
 * @throws {Error} when there are none.
 */
export function settingsIn(globals: object): Settings {
  const settings: Settings | undefined = Reflect.get(globals, SETTINGS);
  if (settings !== undefined) return settings;
  throw new Error(
    "mcp-fakes is in this Jest configuration only in part: " +
      'wrap the whole of it in withMcpFakes() from "mcp-fakes/jest", or name the preset "mcp-fakes".',
  );
}

/** Marks the handler that follows a file's tests, and the global object of an environment that calls it. */
export const FOLLOWED: unique symbol = Symbol.for("mcp-fakes/followed");

/** Carries the facts of a run to its workers, which inherit the environment; by the id of the project. */
const FACTS = "MCP_FAKES_JEST";

/** Tells the workers of this process where a project's server is. */
export function publishFacts({ id }: Settings, facts: RunFacts): void {
  process.env[FACTS] = JSON.stringify({ ...publishedFacts(), [id]: facts });
}

/**
 * Where a project's server is.
 *
 * @throws {Error} when it was not started.
 */
export function factsFor({ id }: Settings): RunFacts {
  const facts = publishedFacts()[id];
  if (facts !== undefined) return facts;
  throw new Error(
    "mcp-fakes: its global set-up did not run, so there is no server. " +
      'A configuration with a "globalSetup" of its own takes the place of the preset\'s: ' +
      'use withMcpFakes() from "mcp-fakes/jest", which runs both.',
  );
}

function publishedFacts(): Record<string, RunFacts | undefined> {
  return JSON.parse(process.env[FACTS] ?? "{}");
}
