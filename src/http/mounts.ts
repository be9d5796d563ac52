import type { Exchange, Mount, Reply } from "./exchange.ts";

export interface MountEntry {
  readonly path: string;
  readonly mount: Mount;
}

/** The mounts of one port; the longest path that leads a request's path is asked first. */
export interface MountTable {
  /** A path that is taken is replaced. `path` is kept as given; one trailing `/` is ignored when matching. */
  set(path: string, mount: Mount): void;
  get(path: string): Mount | undefined;
  entries(): readonly MountEntry[];
  /** Asks each mount whose path leads the request's, longest first, until one answers. */
  handle(exchange: Exchange): Reply | undefined | Promise<Reply | undefined>;
}

export function createMounts(): MountTable {
  let entries: readonly MountEntry[] = [];

  function ask(exchange: Exchange, from: number): Reply | undefined | Promise<Reply | undefined> {
    const entry = entries[from];
    if (entry === undefined) return undefined;
    const rest = restOf(exchange.path, entry.path);
    const reply = rest === undefined ? undefined : entry.mount.handle(exchange, rest);
    if (reply instanceof Promise) return reply.then((settled) => settled ?? ask(exchange, from + 1));
    return reply ?? ask(exchange, from + 1);
  }

  return {
    set(path, mount) {
      const others = entries.filter((entry) => entry.path !== path);
      entries = [...others, { path, mount }].sort((a, b) => b.path.length - a.path.length);
    },
    get: (path) => entries.find((entry) => entry.path === path)?.mount,
    entries: () => entries,
    handle: (exchange) => ask(exchange, 0),
  };
}

/** What is left of `path` below `root`, or `undefined` when it is not below it. */
function restOf(path: string, root: string): string | undefined {
  if (path === root) return "";
  if (root === "/") return path;
  if (!path.startsWith(root)) return undefined;
  const rest = path.slice(root.length);
  return rest.startsWith("/") ? rest : undefined;
}
