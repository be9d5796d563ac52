import type { Config } from "@jest/types";
import { lastWord } from "../shared/last-word.ts";
import { runOwnHook } from "./own-modules.ts";
import { releaseServer } from "./run-servers.ts";
import { settingsIn } from "./settings.ts";
import { isWholeRun } from "./whole-run.ts";

/** Runs in Jest's main process, once for each project with tests, after the last of them. */
export default async function globalTeardown(run: Config.GlobalConfig, project: Config.ProjectConfig): Promise<void> {
  const settings = settingsIn(project.globals);
  try {
    await runOwnHook("globalTeardown", settings, [run, project]);
  } finally {
    await releaseServer(settings, async (server, projects) => {
      const word = lastWord(await server.findings(isWholeRun(run, projects) ? [] : null), settings.options);
      if (word === null) return;
      console.error(`\n${word.text}\n`);
      if (word.isError) failRun();
    });
  }
}

/** Whatever Jest, which knows of the tests alone, makes of them. */
function failRun(): void {
  process.once("exit", () => {
    process.exitCode ||= 1;
  });
}
