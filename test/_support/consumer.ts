import { onTestFinished } from "vitest";
import { type ConsumerProject, createProject } from "./consumer-project.ts";
import type { Watcher } from "./runner-process.ts";

/** A small project that uses the built package as any other would, in a folder outside of this repository. */
export interface Consumer extends Omit<ConsumerProject, "remove"> {
  /** Starts a runner for as long as the running test lasts. */
  follow(runner: "vitest" | "jest", args: readonly string[]): Watcher;
}

/**
 * Sets up one of the projects under `test/consumers/`, with more files or others, for the running test.
 *
 * @example const { exitCode } = await createConsumer("isolation").vitest();
 */
export function createConsumer(name: string | null, files: Readonly<Record<string, string>> = {}): Consumer {
  const { follow, remove, ...project } = createProject(name, files);
  onTestFinished(remove);
  return {
    ...project,
    follow(runner, args) {
      const watcher = follow(runner, args);
      onTestFinished(() => watcher.stop());
      return watcher;
    },
  };
}
