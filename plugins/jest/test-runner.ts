import type { Config } from "@jest/types";
import { ask, control } from "../../src/control/client.ts";
import { enterWorker, openWorker } from "../shared/enter-worker.ts";
import { runFacts } from "../shared/worker-state.ts";
import { findInJest } from "./find-jest.ts";
import { type Environment, followTests } from "./follow-tests.ts";
import { load, loadOwn } from "./own-modules.ts";
import { factsFor, type Settings, settingsIn } from "./settings.ts";

/** What Jest gives to the module named by `testRunner`, for each test file. */
type RunArguments = [
  globalConfig: Config.GlobalConfig,
  config: Config.ProjectConfig,
  environment: Environment,
  runtime: unknown,
  testPath: string,
  ...more: unknown[],
];

// Here, outside of the VM contexts that test files run in.
openWorker();

/**
 * Runs a test file as it would be run without the plugin, in whichever environment, and follows its tests. A file may
 * choose its environment in a comment; none chooses its runner, so this is the place that sees every test.
 */
export default async function runTestFile(...args: RunArguments): Promise<unknown> {
  const [, config, environment, , testPath] = args;
  const { globals, rootDir } = config;
  const settings = settingsIn(globals);
  enterWorker(factsFor(settings));
  followTests(environment, { config, testPath });
  const run = await runnerOf(settings, rootDir);
  // Not awaited: an error of the file's would lead through here.
  return Promise.resolve(run(...args)).catch(noteUnknownTests);
}

/** The tests of a file that could not be loaded are not known, nor what they would have used. */
async function noteUnknownTests(error: unknown): Promise<never> {
  await ask(runFacts(), control.skipTests(null)).catch(() => {}); // the file's own error is what counts
  throw error;
}

/** The names that the default has in a configuration. */
const CIRCUS = /^(jest-)?circus(\/runner)?$/;

async function runnerOf(settings: Settings, rootDir: string): Promise<(...args: RunArguments) => unknown> {
  const own = CIRCUS.test(settings.own.testRunner ?? "") ? null : await loadOwn("testRunner", settings, rootDir);
  const run = own ?? (await load(findInJest("jest-circus/runner", rootDir)));
  if (isFunction(run)) return run;
  throw new Error(`mcp-fakes: the "testRunner" of the Jest configuration exports no function, but ${typeof run}.`);
}

function isFunction(value: unknown): value is (...args: RunArguments) => unknown {
  return typeof value === "function";
}
