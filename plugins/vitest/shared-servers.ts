import { relative } from "node:path";
import type { TestProject, Vitest } from "vitest/node";
import type { RunOptions } from "../shared/options.ts";
import { type RunServer, startServer } from "../shared/start.ts";
import { reloadOnChange } from "./reload-on-change.ts";

/** A server and the projects of a run that use it. */
export interface SharedServer {
  readonly options: RunOptions;
  /** Equal for projects whose options mean the same. */
  readonly key: string;
  readonly server: Promise<RunServer>;
  /** The files whose tests use it, as test ids name them. */
  readonly files: Set<string>;
  users: number;
}

const servers = new WeakMap<Vitest, Set<SharedServer>>();
const lastPorts = new Map<string, number>();

/** The servers that a run has started and not stopped. */
export function sharedServers(vitest: Vitest): readonly SharedServer[] {
  return [...(servers.get(vitest) ?? [])];
}

/**
 * The server of a project: one for all projects of a run that have the same options, unless they run files of the same
 * name, whose tests would have the same ids.
 */
export async function shareServer(
  project: TestProject,
  options: RunOptions,
): Promise<{ server: RunServer; release: () => Promise<void> }> {
  const running = servers.get(project.vitest) ?? new Set();
  servers.set(project.vitest, running);
  const key = keyOf(project, options);
  const files = await filesOf(project);
  const fits = (one: SharedServer) => one.key === key && files.every((file) => !one.files.has(file));
  const shared = [...running].find(fits) ?? start(running, { key, options, project });
  for (const file of files) shared.files.add(file);
  shared.users++;
  const server = await shared.server;
  return {
    server,
    async release() {
      if (--shared.users > 0) return;
      running.delete(shared);
      await server.stop();
    },
  };
}

function start(
  running: Set<SharedServer>,
  { key, options, project }: { key: string; options: RunOptions; project: TestProject },
): SharedServer {
  const { root } = project.config;
  // A run that starts over (its configuration changed) finds its server where it was.
  const server = startServer(options, { root, preferredPort: lastPorts.get(key) }).then((started) => {
    lastPorts.set(key, Number(new URL(started.url).port));
    reloadOnChange(project, { options, server: started });
    return started;
  });
  const shared: SharedServer = { key, options, server, files: new Set(), users: 0 };
  running.add(shared);
  server.catch(() => running.delete(shared));
  return shared;
}

/** Options are the same when they mean the same: paths mean something else in each root. */
function keyOf({ config }: TestProject, options: RunOptions): string {
  const hasPaths = options.fixtures.length > 0 || options.setup !== null;
  return JSON.stringify([hasPaths ? config.root : null, options]);
}

/** Needed only where there are several projects: finding files costs time. */
async function filesOf(project: TestProject): Promise<string[]> {
  if (project.vitest.projects.length === 1) return [];
  const { testFiles } = await project.globTestFiles();
  return testFiles.map((file) => relative(project.config.root, file));
}
