import type { TestProject, Vitest } from "vitest/node";
import type { RunOptions } from "../shared/options.ts";
import { createServerPool, type ServerPool } from "../shared/server-pool.ts";
import type { RunServer } from "../shared/start.ts";
import { reloadOnChange } from "./reload-on-change.ts";

const SERVERS = Symbol.for("mcp-fakes/servers");

/**
 * The servers of a run. They hang on the run itself: a configuration that is CommonJS has another copy of this module
 * than the global set-up, which is an ES module.
 */
export function serversOf(vitest: Vitest): ServerPool {
  const found: ServerPool | undefined = Reflect.get(vitest, SERVERS);
  if (found !== undefined) return found;
  const pool = createServerPool();
  Reflect.set(vitest, SERVERS, pool);
  return pool;
}

/** The server of a project, until it is released. */
export async function shareServer(
  project: TestProject,
  options: RunOptions,
): Promise<{ server: RunServer; release: () => Promise<void> }> {
  const { root } = project.config;
  const share = await serversOf(project.vitest).share({ options, root });
  if (share.isNew) reloadOnChange(project, { options, server: share.server });
  return share;
}
