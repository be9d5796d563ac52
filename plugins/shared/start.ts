import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import getPort, { clearLockedPorts } from "get-port";
import { ask, control } from "../../src/control/client.ts";
import type { ControlServer } from "../../src/control/wire.ts";
import type { SkippedTest, StrayCall } from "../../src/journal/tests.ts";
import { thrownText } from "../../src/text.ts";
import type { RunFindings } from "./last-word.ts";
import type { RunOptions } from "./options.ts";
import { plainError } from "./own-errors.ts";
import type { ThreadAnswer, ThreadOptions, ThreadRequest } from "./server-thread.ts";
import type { Strays } from "./strays.ts";
import type { RunFacts } from "./worker-state.ts";

/** The server of a run. */
export interface RunServer extends ControlServer {
  /**
   * The stray calls since the start, or since they were asked for last, and how the fixtures were used. `skipped`: the
   * tests that were not started, beside those that the workers told of; `null` when the run was only of a part. A server
   * that was running already may serve others: of its fixtures nothing is said.
   */
  findings(skipped: readonly SkippedTest[] | null): Promise<RunFindings>;
  /**
   * Reads fixtures and set-up module again: answers `null` when the new ones are served, else what is wrong with them;
   * then the old ones are.
   */
  reload(): Promise<string | null>;
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
  const token = process.env.MCP_FAKES_TOKEN ?? null;
  const { url, reload, stop } =
    options.url === null ? await startThread({ ...options, token }, start) : running(options.url);
  const server: ControlServer = { url, token };
  let known = options.url === null ? NO_STRAYS : await strayCallsAt(server);
  return {
    ...server,
    async findings(skipped) {
      const all = await straysOf(server);
      const strays = newerThan(known, all);
      known = all;
      const isAsked = skipped !== null && options.url === null && declaresFixtures(options);
      if (!isAsked) return { strays, usage: null };
      if (skipped.length > 0) await ask(server, control.skipTests(skipped));
      const usage = await ask(server, control.usage());
      return { strays, usage: usage.complete ? usage : null };
    },
    async reload() {
      const problem = await reload();
      if (problem === null) known = NO_STRAYS;
      return problem;
    },
    stop,
  };
}

/** Whether fixtures are there when the first test starts. */
export function declaresFixtures({ fixtures, setup }: RunOptions): boolean {
  return fixtures.length > 0 || setup !== null;
}

/** What a run's workers are told of it. */
export function factsOf({ url, token }: RunServer, { mounts, verify, patchEnv }: RunOptions): RunFacts {
  return { url, token, mount: mounts[0], verify, patchEnv };
}

/** Those that a running server knows already; also shows that one is there. */
async function strayCallsAt(server: ControlServer): Promise<Strays> {
  try {
    return await straysOf(server);
  } catch (error) {
    throw plainError(`mcp-fakes cannot start: ${whyNotThere(server, thrownText(error))}`);
  }
}

function whyNotThere({ url }: ControlServer, problem: string): string {
  const [, failure] = /does not answer .*?: (.*)/.exec(problem) ?? [];
  if (failure === undefined) return problem.replace(/^mcp-fakes: /, "");
  return (
    `no server answers at "url" ${url} (${failure}). ` +
    'Start it first, with mcp-fakes serve, or leave "url" out: then the run starts one.'
  );
}

const NO_STRAYS: Strays = { untagged: [], late: [], unfinished: [], refused: [] };

async function straysOf(server: ControlServer): Promise<Strays> {
  const { untagged, late, unfinished, refused } = await ask(server, control.tests());
  const withOrigin = (call: StrayCall): StrayCall => ({ ...call, url: `${server.url}${call.url}` });
  return {
    untagged: untagged.map(withOrigin),
    late: late.map(withOrigin),
    unfinished: unfinished.map(withOrigin),
    refused,
  };
}

function newerThan(known: Strays, { untagged, late, unfinished, refused }: Strays): Strays {
  return {
    untagged: untagged.slice(known.untagged.length),
    late: late.slice(known.late.length),
    unfinished: unfinished.slice(known.unfinished.length),
    refused: refused.slice(known.refused.length),
  };
}

type Started = Pick<RunServer, "url" | "reload" | "stop">;

/** A server that somebody else started, and will stop. */
function running(url: string): Started {
  return { url, reload: async () => null, stop: async () => {} };
}

async function startThread(
  options: RunOptions & Pick<ControlServer, "token">,
  { root, preferredPort }: StartOptions,
): Promise<Started> {
  const { host } = options;
  const wanted = options.port ?? preferredPort;
  // The port of a server that this process has just stopped is as good as any.
  if (wanted !== undefined) clearLockedPorts();
  const port = await getPort(wanted === undefined ? { host } : { host, port: wanted }).catch((error: Error) => {
    throw plainError(`mcp-fakes cannot start: this machine cannot listen on "host" ${host}: ${error.message}`);
  });
  if (options.port !== null && port !== options.port) {
    throw plainError(
      `mcp-fakes cannot start: port ${options.port} of ${host} is taken. Leave "port" out to get a free one.`,
    );
  }
  const workerData: ThreadOptions = { ...options, port, root };
  const thread = new Worker(fileURLToPath(new URL("./server-thread.mjs", import.meta.url)), { workerData });
  const exited = new Promise<number>((resolve) => thread.once("exit", resolve));
  const ended = exited.then((code): ThreadAnswer => ({ problem: endOf(options, code) }));
  const first = await Promise.race([answerOf(thread, options), ended]);
  if ("problem" in first) {
    await thread.terminate();
    throw plainError(`mcp-fakes cannot start: ${first.problem}`);
  }
  const { url } = first;
  thread.unref();
  let isExpected = false;
  thread.on("error", (error) => {
    isExpected = true;
    process.exitCode = 1;
    console.error(`mcp-fakes: the server at ${url} has stopped, because code beside it failed:\n${error.stack}`);
  });
  thread.once("exit", (code) => {
    if (isExpected) return;
    process.exitCode = 1;
    console.error(`mcp-fakes: the server at ${url} has stopped: ${endOf(options, code)}`);
  });
  const request = (message: ThreadRequest) => thread.postMessage(message);
  return {
    url,
    async reload() {
      request("reload");
      const answer = await Promise.race([answerOf(thread, options), ended]);
      return "problem" in answer ? answer.problem : null;
    },
    async stop() {
      isExpected = true;
      request("stop");
      const timer = setTimeout(() => thread.terminate(), STOP_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** How long the server may take to close its streams; then its thread is ended all the same. */
const STOP_MS = 800;

/** After how long a user who sees nothing happen is told what is waited for. */
const PATIENCE_MS = 5000;

function answerOf(thread: Worker, { setup }: RunOptions): Promise<ThreadAnswer> {
  const timer = setTimeout(() => {
    const what = setup === null ? "the fixtures are" : `the set-up module ${setup} is`;
    console.error(
      `mcp-fakes: ${what} still being loaded after ${PATIENCE_MS / 1000} s. The tests start when that is done.`,
    );
  }, PATIENCE_MS);
  return new Promise<ThreadAnswer>((resolve, reject) => {
    thread.once("error", reject);
    thread.once("message", (answer: ThreadAnswer) => {
      thread.off("error", reject);
      resolve(answer);
    });
    thread.once("exit", () => clearTimeout(timer)); // then neither comes
  }).finally(() => clearTimeout(timer));
}

/** Why the thread ended without being asked to: only code of the user's does that. */
function endOf({ setup }: RunOptions, code: number): string {
  const who = setup === null ? "code in its thread" : `the set-up module ${setup}`;
  return `${who} ended the server's thread with exit code ${code}. Throw an error in place of calling process.exit().`;
}
