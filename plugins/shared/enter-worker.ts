import process from "node:process";
import { injectTestId } from "./inject.ts";
import { type RunFacts, workerState } from "./worker-state.ts";

/** Makes a worker part of the run, before its first test. May be done again for each file. */
export function enterWorker(run: RunFacts): void {
  workerState().run = run;
  injectTestId(run.url);
  if (!run.patchEnv) return;
  process.env.OPENAI_BASE_URL = `${run.url}/v1`;
  process.env.ANTHROPIC_BASE_URL = run.url; // its official client adds /v1 itself
}
