import type { Config } from "@jest/types";
import { reportStrays } from "../shared/strays.ts";
import { runOwnHook } from "./own-modules.ts";
import { releaseServer } from "./run-servers.ts";
import { settingsIn } from "./settings.ts";

/** Runs in Jest's main process, once for each project with tests, after the last of them. */
export default async function globalTeardown(run: Config.GlobalConfig, project: Config.ProjectConfig): Promise<void> {
  const settings = settingsIn(project.globals);
  try {
    await runOwnHook("globalTeardown", settings, [run, project]);
  } finally {
    await releaseServer(settings, async (server) => {
      const report = reportStrays(await server.newStrays(), settings.options);
      if (report === null) return;
      console.error(`\n${report.text}\n`);
      if (report.isError) failRun();
    });
  }
}

/** Whatever Jest, which knows of the tests alone, makes of them. */
function failRun(): void {
  process.once("exit", () => {
    process.exitCode ||= 1;
  });
}
