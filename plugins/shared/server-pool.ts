import type { RunOptions } from "./options.ts";
import { type RunServer, startServer } from "./start.ts";

/** What a project of a run wants of its server. */
export interface Wanted {
  readonly options: RunOptions;
  /** The project root, which paths in the options are relative to. */
  readonly root: string;
}

/** A server and the projects of a run that use it. */
export interface SharedServer {
  readonly options: RunOptions;
  readonly server: Promise<RunServer>;
}

/** A project's part in a server. */
export interface Share {
  readonly server: RunServer;
  /** Whether the server was started for this project. */
  readonly isNew: boolean;
  /** Ends it. The last one to do so may look at the server before it stops. */
  readonly release: (lookAt?: (server: RunServer) => Promise<void>) => Promise<void>;
}

/** The servers of a run. */
export interface ServerPool {
  /** The server of a project: one for all projects with the same options. It stops when the last one has released it. */
  share(wanted: Wanted): Promise<Share>;
  /** Those that are started and not stopped. */
  running(): readonly SharedServer[];
}

interface Running extends SharedServer {
  /** Equal for projects whose options mean the same. */
  readonly key: string;
  users: number;
}

/** Where servers were: a run that starts over finds its server there again. */
const lastPorts = new Map<string, number>();

export function createServerPool(): ServerPool {
  const running = new Set<Running>();

  function start({ options, root }: Wanted, key: string): Running {
    const server = startServer(options, { root, preferredPort: lastPorts.get(key) });
    const started: Running = { key, options, server, users: 0 };
    running.add(started);
    server.then(
      ({ url }) => lastPorts.set(key, Number(new URL(url).port)),
      () => running.delete(started),
    );
    return started;
  }

  return {
    async share(wanted) {
      const key = keyOf(wanted);
      const shared = [...running].find((one) => one.key === key) ?? start(wanted, key);
      shared.users++;
      const isNew = shared.users === 1;
      const server = await shared.server;
      return {
        server,
        isNew,
        async release(lookAt) {
          if (--shared.users > 0) return;
          running.delete(shared);
          await lookAt?.(server);
          await server.stop();
        },
      };
    },
    running: () => [...running],
  };
}

/** Options are the same when they mean the same: paths mean something else in each root. */
function keyOf({ options, root }: Wanted): string {
  const hasPaths = options.fixtures.length > 0 || options.setup !== null;
  return JSON.stringify([hasPaths ? root : null, options]);
}
