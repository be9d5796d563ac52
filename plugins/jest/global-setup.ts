import type { Config } from "@jest/types";
import { factsOf } from "../shared/start.ts";
import { runOwnHook } from "./own-modules.ts";
import { leaseServer } from "./run-servers.ts";
import { publishFacts, settingsIn } from "./settings.ts";

/** Runs in Jest's main process, once for each project with tests, before the first of them; in watch mode in each run. */
export default async function globalSetup(run: Config.GlobalConfig, project: Config.ProjectConfig): Promise<void> {
  const settings = settingsIn(project.globals);
  const server = await leaseServer(settings, project.rootDir);
  publishFacts(settings, factsOf(server, settings.options));
  await runOwnHook("globalSetup", settings, [run, project]);
}
