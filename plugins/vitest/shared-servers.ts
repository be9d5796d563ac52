import type { TestProject, Vitest } from "vitest/node";
import type { RunOptions } from "../shared/options.ts";
import { createServerPool, type ServerPool } from "../shared/server-pool.ts";
import type { RunServer } from "../shared/start.ts";
import { reloadOnChange } from "./reload-on-change.ts";

const pools = new WeakMap<Vitest, ServerPool>();

/** The servers of a run. */
export function serversOf(vitest: Vitest): ServerPool {
  const pool = pools.get(vitest) ?? createServerPool();
  pools.set(vitest, pool);
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
