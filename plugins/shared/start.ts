import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import getPort from "get-port";
import { ask, control } from "../../src/control/client.ts";
import type { StrayCall } from "../../src/journal/tests.ts";
import type { RunOptions } from "./options.ts";
import type { ThreadMessage, ThreadOptions } from "./server-thread.ts";
import type { Strays } from "./strays.ts";

/** The server of a run. */
export interface RunServer {
  /** Origin, `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** The stray calls since the start, or since they were asked for last. */
  newStrays(): Promise<Strays>;
  /** Stops the server within a second, whatever it is doing; one that was running already is left alone. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** The project root, which paths in the options are relative to. */
  readonly root: string;
  /** Taken when it is free: a server that starts again should be found where it was. */
  readonly preferredPort?: number | undefined;
}

/**
 * Starts the run's server in a thread of its own, where neither a busy main thread nor a test that blocks can hold it
 * up; or finds the one that runs at `options.url`.
 *
 * @throws {Error} with every problem of the fixtures, the set-up module's error, or why the port cannot be had.
 */
export async function startServer(options: RunOptions, start: StartOptions): Promise<RunServer> {
  const { url, stop } = options.url === null ? await startThread(options, start) : running(options.url);
  let known = options.url === null ? NO_STRAYS : await straysOf(url);
  return {
    url,
    async newStrays() {
      const all = await straysOf(url);
      const { untagged, late } = known;
      known = all;
      return { untagged: all.untagged.slice(untagged.length), late: all.late.slice(late.length) };
    },
    stop,
  };
}

const NO_STRAYS: Strays = { untagged: [], late: [] };

async function straysOf(origin: string): Promise<Strays> {
  const { untagged, late } = await ask(origin, control.tests());
  const withOrigin = (call: StrayCall): StrayCall => ({ ...call, url: `${origin}${call.url}` });
  return { untagged: untagged.map(withOrigin), late: late.map(withOrigin) };
}

type Started = Pick<RunServer, "url" | "stop">;

/** A server that somebody else started, and will stop. */
function running(url: string): Started {
  return { url, stop: async () => {} };
}

async function startThread(options: RunOptions, { root, preferredPort }: StartOptions): Promise<Started> {
  const { host } = options;
  const wanted = options.port ?? preferredPort;
  const port = await getPort(wanted === undefined ? { host } : { host, port: wanted });
  if (options.port !== null && port !== options.port) {
    throw new Error(
      `mcp-fakes cannot start: port ${options.port} of ${host} is taken. Leave "port" out to get a free one.`,
    );
  }
  const workerData: ThreadOptions = { ...options, port, root };
  const thread = new Worker(fileURLToPath(new URL("./server-thread.mjs", import.meta.url)), { workerData });
  const url = await started(thread);
  thread.unref();
  thread.on("error", (error) => {
    process.exitCode = 1;
    console.error(
      `mcp-fakes: the server at ${url} has stopped, because code beside it failed:\n${error.stack ?? error}`,
    );
  });
  return { url, stop: () => stopThread(thread) };
}

function started(thread: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    thread.once("error", reject);
    thread.once("message", (message: ThreadMessage) => {
      thread.off("error", reject);
      if ("url" in message) resolve(message.url);
      else reject(new Error(`mcp-fakes cannot start: ${message.problem}`));
    });
  });
}

/** How long the server may take to close its streams; then its thread is ended all the same. */
const STOP_MS = 800;

async function stopThread(thread: Worker): Promise<void> {
  const stopped = new Promise((resolve) => thread.once("exit", resolve));
  thread.postMessage("stop");
  const timer = setTimeout(() => thread.terminate(), STOP_MS);
  await stopped;
  clearTimeout(timer);
}
