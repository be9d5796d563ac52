import { expect, inject, TestRunner } from "vitest";
import { enterWorker, matchers, runTestCase } from "./worker.ts";

// Runs before each test file, in its worker.
enterWorker(inject("mcpFakes"));
expect.extend(matchers);
// Vitest's own aroundEach() makes the automatic fixtures of a test before it calls the hook, and so outside of the test.
TestRunner.getCurrentSuite().on("aroundEach", (runTest, { task }) => runTestCase(task, runTest));
