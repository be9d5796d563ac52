import process from "node:process";
import { injectTestId, watchRequests } from "./inject.ts";
import { createChannel } from "./sync-client.ts";
import { type RunFacts, workerState } from "./worker-state.ts";

/** Makes a worker part of the run, before its first test. May be done again for each file. */
export function enterWorker(run: RunFacts): void {
  openWorker();
  workerState().run = run;
  injectTestId(run.url);
  if (!run.patchEnv) return;
  process.env.OPENAI_BASE_URL = `${run.url}/v1`;
  process.env.ANTHROPIC_BASE_URL = run.url; // its official client adds /v1 itself
}

/**
 * Sets up what lives as long as the worker. Where each test file gets a VM context and a copy of this module of its own,
 * a copy outside of them should do it, or the first file's context lives as long.
 */
export function openWorker(): void {
  const state = workerState();
  if (state.isOpen) return;
  state.isOpen = true;
  state.channel = createChannel();
  watchRequests();
}
