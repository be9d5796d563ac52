import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";

const FILE = 'import { isolationCases } from "./cases.ts";\n\nisolationCases();\n';
const FILES = Object.fromEntries([..."abcdefgh"].map((letter) => [`${letter}.test.ts`, FILE]));

test.for([
  ["--pool=forks"],
  ["--pool=forks", "--no-isolate"],
  ["--pool=threads"],
  ["--pool=threads", "--no-isolate"],
  ["--pool=vmThreads"],
  ["--pool=vmForks"],
])("200 tests in 8 files keep their requests apart: %j", { timeout: 120_000 }, async (args) => {
  const { exitCode, output } = await createConsumer("isolation", FILES).vitest(args);
  expect(output).toContain(" Test Files  8 passed (8)\n      Tests  200 passed (200)\n");
  expect(exitCode).toBe(0);
});
