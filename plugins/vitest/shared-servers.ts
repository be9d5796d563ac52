import { relative } from "node:path";
import type { TestProject, Vitest } from "vitest/node";
import type { ControlServer } from "../../src/control/wire.ts";
import type { RunOptions } from "../shared/options.ts";
import { type RunServer, startServer } from "../shared/start.ts";

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
): Promise<ControlServer & { release: () => Promise<void> }> {
  const running = servers.get(project.vitest) ?? new Set();
  servers.set(project.vitest, running);
  const key = keyOf(project, options);
  const files = await filesOf(project);
  const shared =
    [...running].find((one) => one.key === key && files.every((file) => !one.files.has(file))) ??
    start(running, { key, options, root: project.config.root });
  for (const file of files) shared.files.add(file);
  shared.users++;
  const { url, token, stop } = await shared.server;
  return {
    url,
    token,
    async release() {
      if (--shared.users > 0) return;
      running.delete(shared);
      await stop();
    },
  };
}

function start(
  running: Set<SharedServer>,
  { key, options, root }: { key: string; options: RunOptions; root: string },
): SharedServer {
  // A run that starts over (its configuration changed) finds its server where it was.
  const server = startServer(options, { root, preferredPort: lastPorts.get(key) });
  server.then(
    ({ url }) => lastPorts.set(key, Number(new URL(url).port)),
    () => {},
  );
  const shared: SharedServer = { key, options, server, files: new Set(), users: 0 };
  running.add(shared);
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
