import { dirname, resolve, sep } from "node:path";
import { watch } from "chokidar";

/** Watching fixture sources. */
export interface SourceWatch {
  close(): Promise<void>;
}

/** Editors write a file in several steps, and tools many files at once: a change is what stands when they pause. */
const PAUSE_MS = 100;

/** Calls back after each change below any of the paths, once they have paused. Resolves when all are watched. */
export async function watchSources(paths: readonly string[], changed: () => void): Promise<SourceWatch> {
  // A watcher of nothing would never be ready.
  if (paths.length === 0) return { async close() {} };
  let timer: NodeJS.Timeout | undefined;
  const sources = paths.map((path) => resolve(path));
  // A source that is deleted and comes back is only seen from its parent.
  const parents = [...new Set(sources.map((source) => dirname(source)))];
  const isWatched = (path: string) =>
    parents.includes(path) || sources.some((source) => path === source || path.startsWith(source + sep));
  const watcher = watch(parents, { ignoreInitial: true, ignored: (path) => !isWatched(resolve(path)) });
  watcher.on("all", () => {
    clearTimeout(timer);
    timer = setTimeout(changed, PAUSE_MS);
  });
  return new Promise((ready) => {
    watcher.on("ready", () =>
      ready({
        async close() {
          clearTimeout(timer);
          await watcher.close();
        },
      }),
    );
  });
}
