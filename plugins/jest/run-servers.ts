import { createServerPool, type Share } from "../shared/server-pool.ts";
import type { RunServer } from "../shared/start.ts";
import type { Settings } from "./settings.ts";

const pool = createServerPool();
const leases = new Map<number, Share>();
/** The projects of this run that had a server. */
const leased = new Set<number>();

/** Starts the server of a project. One that an earlier run left behind is stopped. */
export async function leaseServer({ id, options }: Settings, root: string): Promise<RunServer> {
  await leases.get(id)?.release();
  leases.delete(id);
  const lease = await pool.share({ options, root });
  leases.set(id, lease);
  leased.add(id);
  return lease.server;
}

/** Stops the server that a project was the last to use, after a last look at it. `projects`: how many had one in this run. */
export async function releaseServer(
  { id }: Settings,
  lookAt: (server: RunServer, projects: number) => Promise<void>,
): Promise<void> {
  const lease = leases.get(id);
  if (lease === undefined) return;
  leases.delete(id);
  const projects = leased.size;
  if (leases.size === 0) leased.clear();
  await lease.release((server) => lookAt(server, projects));
}
