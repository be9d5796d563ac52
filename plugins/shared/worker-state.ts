import { AsyncLocalStorage } from "node:async_hooks";
import process from "node:process";
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
  run: RunFacts | null;
  injector: Injector | null;
  channel: SyncChannel | null;
}

const WORKER: unique symbol = Symbol.for("mcp-fakes/worker");

declare global {
  namespace NodeJS {
    interface Process {
      [WORKER]?: WorkerState;
    }
  }
}

/**
 * The one state of this worker. It hangs on `process` because a worker may hold several copies of this module: an ES
 * module and a CommonJS one, or one in each VM context, which share the built-in modules and nothing else.
 */
export function workerState(): WorkerState {
  process[WORKER] ??= {
    tests: new AsyncLocalStorage(),
    running: new Set(),
    run: null,
    injector: null,
    channel: null,
  };
  return process[WORKER];
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
    "mcp-fakes is not running here. Add its plugin to the runner's configuration: " +
      'plugins: [mcpFakes()] from "mcp-fakes/vitest" in vitest.config.ts.',
  );
}
