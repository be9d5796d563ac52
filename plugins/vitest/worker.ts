/**
 * The worker's part of the plugin. The set-up file, which Vitest evaluates anew for each test file, holds nothing and
 * imports this, which is loaded once.
 */
export { enterWorker } from "../shared/enter-worker.ts";
export * as matchers from "../shared/matchers/index.ts";
export { runTestCase } from "./around-test.ts";
export { followRunner } from "./follow-runner.ts";
