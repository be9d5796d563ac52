import { relative, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import type { RunOptions } from "../shared/options.ts";
import type { RunServer } from "../shared/start.ts";

/**
 * In watch mode, a fixture or set-up module that changes, comes or goes runs all tests again, on a server that has read them anew.
 * While the new ones cannot be honoured, the old ones stay, and each run says why.
 */
export function reloadOnChange(
  project: TestProject,
  { options, server }: { options: RunOptions; server: RunServer },
): void {
  const { vitest } = project;
  const paths = [...options.fixtures, options.setup ?? []].flat().map((path) => resolve(project.config.root, path));
  if (!vitest.config.watch || paths.length === 0) return;
  vitest.config.forceRerunTriggers.push(...paths.flatMap((path) => [path, `${path}/**`]));
  vitest.vite.watcher.add(paths);

  let isStale = false;
  const isOurs = (file: string) => paths.some((path) => !relative(path, file).startsWith(".."));
  vitest.vite.watcher.on("all", (_, file) => {
    isStale ||= isOurs(file);
  });
  // Vitest itself runs nothing again for a file that is gone. Told of a change before it sets the file aside, it does.
  vitest.vite.watcher.prependListener("unlink", (file) => {
    if (isOurs(file)) vitest.vite.watcher.emit("change", file);
  });
  project.onTestsRerun(async () => {
    if (!isStale) return;
    const problem = await server.reload();
    isStale = problem !== null;
    if (problem !== null) vitest.logger.error(`\nmcp-fakes keeps the fixtures of the last run: ${problem}\n`);
  });
}
