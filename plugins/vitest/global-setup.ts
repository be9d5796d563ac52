import type { TestProject } from "vitest/node";
import { factsOf } from "../shared/start.ts";
import { optionsOf } from "./plugin.ts";
import { shareServer } from "./shared-servers.ts";

/** Runs in the runner's main process, once for each project, before its first test. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // The root of several projects is set up with them and runs no tests of its own.
  if (!project.vitest.projects.includes(project)) return undefined;
  const options = optionsOf(project.vite.config.plugins);
  const { server, release } = await shareServer(project, options);
  project.provide("mcpFakes", factsOf(server, options));
  return release;
}
