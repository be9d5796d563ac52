import { resolve } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { createJiti } from "jiti";
import { LLMock } from "../../src/llmock.ts";
import type { RunOptions } from "./options.ts";
import { plainError, userStack } from "./own-errors.ts";

/** What the thread is started with. */
export interface ThreadOptions extends RunOptions {
  readonly port: number;
  readonly token: string | null;
  readonly root: string;
}

/** What the thread is asked to do once it has started. */
export type ThreadRequest = "reload" | "stop";

/** What the thread answers to its start and to a reload: where the server is, or why there is no new one. */
export type ThreadAnswer = { readonly url: string } | { readonly problem: string };

const options: ThreadOptions = workerData;
let running: LLMock | null = null;

parentPort?.on("message", async (request: ThreadRequest) => {
  switch (request) {
    case "reload":
      parentPort?.postMessage(await takeOver());
      break;
    case "stop":
      await running?.stop();
      process.exit(0);
  }
});
parentPort?.postMessage(await takeOver());

/** Starts a server from the files as they are now. One that runs already is replaced only when that can be done whole. */
async function takeOver(): Promise<ThreadAnswer> {
  try {
    const next = await prepare();
    await running?.stop();
    running = next;
    return { url: await next.start() };
  } catch (error) {
    return { problem: textOf(error) };
  }
}

async function prepare(): Promise<LLMock> {
  const { host, port, token, root, logLevel, journalMax, fixtureCountsMax, mounts, fixtures, setup } = options;
  const secret = token === null ? {} : { token };
  const llm = new LLMock({ host, port, logLevel, journalMax, fixtureCountsMax, ...secret });
  if (setup !== null) await runSetup(resolve(root, setup), llm);
  for (const mount of mounts) llm.ensureMcpMount(mount);
  llm.loadFixtures(fixtures, { cwd: root });
  return llm;
}

/** Runs the user's set-up module, whatever it is written in. */
async function runSetup(path: string, llm: LLMock): Promise<void> {
  try {
    const prepare = await createJiti(import.meta.url, { moduleCache: false }).import(path, { default: true });
    if (typeof prepare !== "function") throw plainError("it has no default export that is a function of the LLMock.");
    await prepare(llm);
  } catch (error) {
    throw plainError(`the set-up module ${path} failed: ${userStack(error)}`);
  }
}

/** Every problem, where a load met several. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!("rule" in error)) return error.message;
  const errors = "errors" in error && Array.isArray(error.errors) ? error.errors : [error];
  return `the fixtures cannot be honoured.\n${errors.map(({ message }) => `  - ${message}`).join("\n")}`;
}
