import { createServerPool, type Share } from "../shared/server-pool.ts";
import type { RunServer } from "../shared/start.ts";
import type { Settings } from "./settings.ts";

/** Jest does not tell its hooks which files a project runs: those of two projects may have the same names. */
const ANY_FILE = ["*"];

const pool = createServerPool();
const leases = new Map<number, Share>();

/** Starts the server of a project. One that an earlier run left behind is stopped. */
export async function leaseServer({ id, options }: Settings, root: string): Promise<RunServer> {
  await leases.get(id)?.release();
  leases.delete(id);
  const lease = await pool.share({ options, root, files: ANY_FILE });
  leases.set(id, lease);
  return lease.server;
}

/** Stops the server of a project, after a last look at it. */
export async function releaseServer({ id }: Settings, lookAt: (server: RunServer) => Promise<void>): Promise<void> {
  const lease = leases.get(id);
  if (lease === undefined) return;
  leases.delete(id);
  await lookAt(lease.server);
  await lease.release();
}
