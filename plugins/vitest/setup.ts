import { aroundEach, expect, inject } from "vitest";
import { enterWorker, matchers, runTestCase } from "./worker.ts";

// Runs before each test file, in its worker.
enterWorker(inject("mcpFakes"));
expect.extend(matchers);
aroundEach((runTest, { task }) => runTestCase(task, runTest));
