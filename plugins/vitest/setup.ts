import * as vitest from "vitest";
import { enterWorker, followRunner, matchers, runTestCase } from "./worker.ts";

// Runs before each test file, in its worker.
enterWorker(vitest.inject("mcpFakes"));
vitest.expect.extend(matchers);
if ("TestRunner" in vitest) {
  // Vitest's own aroundEach() makes the automatic fixtures of a test before it calls the hook, and so outside of the test.
  vitest.TestRunner.getCurrentSuite().on("aroundEach", (runTest, { task }) => runTestCase(task, runTest));
} else {
  await followRunner(); // before 4.1
}
