import { AsyncLocalStorage } from "node:async_hooks";
import type { ControlServer } from "../../src/control/wire.ts";
import type { RunningTest } from "./current-test.ts";
import type { Injector } from "./inject.ts";
import type { Verify } from "./options.ts";
import { usageError } from "./own-errors.ts";
import type { SyncChannel } from "./sync-client.ts";

/** What the main process tells each worker about the run. Plain JSON: it crosses processes. */
export interface RunFacts extends ControlServer {
  /** The mount that `mcp.url` points to. */
  readonly mount: string;
  readonly verify: Verify;
  readonly patchEnv: boolean;
}

/** All that a worker remembers. */
export interface WorkerState {
  readonly tests: AsyncLocalStorage<RunningTest>;
  readonly running: Set<RunningTest>;
  /** Whether what lives as long as the worker is set up. */
  isOpen: boolean;
  run: RunFacts | null;
  injector: Injector | null;
  channel: SyncChannel | null;
}

const WORKER = Symbol.for("mcp-fakes/worker");

/**
 * The one state of this worker. A worker may hold several copies of this module: an ES module and a CommonJS one, or one
 * in each VM context. They share what built-in modules export and nothing else, not even `process`; so it hangs there.
 */
export function workerState(): WorkerState {
  const found: WorkerState | undefined = Reflect.get(AsyncLocalStorage, WORKER);
  if (found !== undefined) return found;
  const state: WorkerState = {
    tests: new AsyncLocalStorage(),
    running: new Set(),
    isOpen: false,
    run: null,
    injector: null,
    channel: null,
  };
  Reflect.set(AsyncLocalStorage, WORKER, state);
  return state;
}

/**
 * The run's facts.
 *
 * @throws {TypeError} when this worker's runner was not set up with the plugin.
 */
export function runFacts(): RunFacts {
  const { run } = workerState();
  if (run !== null) return run;
  throw usageError(
    "mcp-fakes is not running here. Add it to the runner's configuration: in vitest.config.ts " +
      'plugins: [mcpFakes()] from "mcp-fakes/vitest", in jest.config withMcpFakes() from "mcp-fakes/jest". ' +
      "If it is there already, this project does not take it over: Vitest's projects need `extends: true`, " +
      "or the plugin in each of them; Jest's that are paths need it in their own configuration.",
  );
}
