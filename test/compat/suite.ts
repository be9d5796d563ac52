import type { RunnerLine } from "./matrix.ts";

/** What is run on a runner. */
export interface Suite {
  readonly name: string;
  run(installed: Installed): Promise<Findings>;
}

/** A runner in a project that has the package too, and the `node` to run it with. */
export interface Installed {
  readonly line: RunnerLine;
  /** The folder above its `node_modules`. */
  readonly folder: string;
  readonly node: string;
}

/** What a suite showed. */
export interface Findings {
  readonly passed: number;
  /** One text for each thing that is not as it should be. */
  readonly problems: readonly string[];
}
