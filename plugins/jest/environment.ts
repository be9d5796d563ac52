import type { Config } from "@jest/types";
import { type Environment, followTests } from "./follow-tests.ts";

/** An environment's class, whatever its own arguments are called. */
export type EnvironmentClass = new (...args: never[]) => object;

/** What Jest gives to an environment's constructor. */
type EnvironmentArguments = [config: { projectConfig: Config.ProjectConfig }, context: { testPath: string }];

/**
 * A Jest environment that follows its tests, made of any other. `withMcpFakes` follows the tests of every environment by
 * itself; this is for a configuration that must keep a `testRunner` of its own which `withMcpFakes` cannot call.
 *
 * @example
 * ```ts
 * // dom-environment.ts, named as "testEnvironment"
 * import { TestEnvironment } from "jest-environment-jsdom";
 * export default createMcpFakesEnvironment(TestEnvironment);
 * ```
 */
export function createMcpFakesEnvironment<Base extends EnvironmentClass>(base: Base): Base {
  return new Proxy(base, {
    construct(target, args: EnvironmentArguments, newTarget) {
      const environment: Environment = Reflect.construct(target, args, newTarget);
      const [{ projectConfig }, { testPath }] = args;
      followTests(environment, { config: projectConfig, testPath });
      return environment;
    },
  });
}
