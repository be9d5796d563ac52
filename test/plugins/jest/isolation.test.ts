import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";

const FILE = 'import { isolationCases } from "./cases.ts";\n\nisolationCases();\n';
const FILES = Object.fromEntries([..."abcdefgh"].map((letter) => [`${letter}.test.ts`, FILE]));
const ES_MODULES = { NODE_OPTIONS: "--experimental-vm-modules" };

test.for([
  { title: "in two processes", args: ["--maxWorkers=2"], env: {} },
  { title: "in two threads", args: ["--maxWorkers=2", "--workerThreads"], env: {} },
  { title: "in the runner's own process, as ES modules", args: ["--runInBand"], env: ES_MODULES },
])("200 tests in 8 files keep their requests apart, $title", { timeout: 120_000 }, async ({ args, env }) => {
  const { exitCode, output } = await createConsumer("isolation", FILES).jest(args, env);
  expect(output).toContain("\nTest Suites: 8 passed, 8 total\nTests:       200 passed, 200 total\n");
  expect(output.match(/^mcp-fakes: .*/gm)).toEqual([
    "mcp-fakes: 1 fixture file gave 168 answers: isolation.json (168).",
  ]);
  expect(exitCode).toBe(0);
});
