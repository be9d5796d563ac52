import { onTestFinished } from "vitest";
import { type ConsumerProject, createProject } from "./consumer-project.ts";
import type { Watcher } from "./runner-process.ts";

/** A small project that uses the built package as any other would, in a folder outside of this repository. */
export interface Consumer extends Omit<ConsumerProject, "watch" | "remove"> {
  /** Starts Vitest in watch mode, for as long as the running test lasts. */
  watch(args?: readonly string[]): Watcher;
}

/**
 * Sets up one of the projects under `test/consumers/`, with more files or others, for the running test.
 *
 * @example const { exitCode } = await createConsumer("isolation").vitest();
 */
export function createConsumer(name: string | null, files: Readonly<Record<string, string>> = {}): Consumer {
  const { watch, remove, ...project } = createProject(name, files);
  onTestFinished(remove);
  return {
    ...project,
    watch(args) {
      const watcher = watch(args);
      onTestFinished(() => watcher.stop());
      return watcher;
    },
  };
}
