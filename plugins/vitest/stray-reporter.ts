import type { Vitest } from "vitest/node";
import { reportStrays } from "../shared/strays.ts";
import { serversOf } from "./shared-servers.ts";

const watched = new WeakSet<Vitest>();

/** Says at the end of each run, below the summary, which tool calls belonged to no running test. */
export function reportStraysOf(vitest: Vitest): void {
  if (watched.has(vitest)) return;
  watched.add(vitest);
  vitest.config.reporters.push({
    async onTestRunEnd() {
      for (const { server, options } of serversOf(vitest).running()) {
        const report = reportStrays(await (await server).newStrays(), options);
        if (report === null) continue;
        vitest.logger.error(`\n${report.text}\n`);
        if (report.isError) process.exitCode = 1;
      }
    },
  });
}
