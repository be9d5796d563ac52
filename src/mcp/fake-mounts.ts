import { FixtureLoadError, loadErrorOf, type McpFakeWarning } from "../errors.ts";
import type { Origin } from "../fakes/model.ts";
import type { FakeStore } from "../fakes/store.ts";
import { type BlockSource, DEFAULT_MOUNT, groupByMount, mountOf } from "../fixtures/block-sources.ts";
import type { McpFakeScope } from "../fixtures/types.ts";
import type { Mount } from "../http/exchange.ts";
import type { MountTable } from "../http/mounts.ts";
import { MCPMock } from "./mcp-mock.ts";
import { MCP_MOCK, type MCPMockHost, type MCPMockParts, mockParts } from "./mock-host.ts";

/** The prefix that the control API answers before any mount. */
export const CONTROL_PREFIX = "/__aimock";

export interface AddOptions {
  readonly origin: Origin;
  /** The test whose end removes these blocks again. */
  readonly owner?: string | null;
  /** The blocks take the place of all that came from files, on every mount. */
  readonly replacesFiles?: boolean;
}

export interface AddedFakes {
  readonly blocks: number;
  readonly warnings: readonly McpFakeWarning[];
}

/** Where a block of an add is served, and its id there. */
export interface AddedBlock {
  readonly mount: string;
  readonly blockId: string;
}

/** A checked add. `commit` may be called only when there are no errors. */
export interface PreparedFakes extends AddedFakes {
  /** The blocks, sorted by mount. */
  readonly added: readonly AddedBlock[];
  readonly errors: readonly FixtureLoadError[];
  commit(): void;
}

/** A mock with the path it is served at. */
export interface MountedMock {
  readonly mount: string;
  readonly fakes: FakeStore;
  readonly parts: MCPMockParts;
}

/** The MCP mocks of one port as the fakes see them: blocks go to the mock at their `mount`, which is made when missing. */
export interface FakeMounts {
  /** Checks an add over all its mounts without making it. Never throws. */
  prepare(sources: readonly BlockSource[], options: AddOptions): PreparedFakes;
  /** Mounts a mock at `path` unless one is there. */
  ensure(path: string): void;
  /**
   * Mounts what the user made. Before the port is open it takes over the fakes that were waiting for its path, and
   * throws a `FixtureLoadError` when it cannot; later, a path that was auto-mounted stays as it is, with a warning.
   */
  mount(path: string, mount: Mount, open: boolean): void;
  mocks(): readonly MountedMock[];
  /** The tools that a scenario's fakes declare, on any mount, and those that code registered. A shared one sees all fakes. */
  toolsOf(scope: McpFakeScope): ReadonlySet<string>;
  /** Unloads all fakes, on every mock. */
  clear(): void;
}

export function createFakeMounts(mounts: MountTable, host: MCPMockHost): FakeMounts {
  /** What was added to the mocks that nobody asked for by name. */
  const waiting = new Map<string, readonly { readonly sources: readonly BlockSource[]; readonly origin: Origin }[]>();

  function attach(path: string, mount: Mount): void {
    mockParts(mount)?.attach(host, path);
    mounts.set(path, mount);
  }

  function autoMount(path: string, mock: MCPMock): void {
    attach(path, mock);
    waiting.set(path, []);
    host.logger().info(`MCP fakes: auto-mounted an MCP mock at "${path}"`);
  }

  /** One mount's share of an add. */
  function prepareAt(path: string, sources: readonly BlockSource[], options: AddOptions) {
    const { origin } = options;
    const mounted = mockParts(mounts.get(path))?.fakes;
    const fresh = new MCPMock();
    // Its settings count when the blocks are read.
    fresh[MCP_MOCK].attach(host, path);
    const { blockIds, errors, warnings, commit } = (mounted ?? fresh[MCP_MOCK].fakes).prepare(sources, origin, options);
    return {
      added: blockIds.map((blockId) => ({ mount: path, blockId })),
      errors,
      warnings,
      commit() {
        commit();
        if (mounted === undefined) autoMount(path, fresh);
        const adds = waiting.get(path);
        if (adds === undefined) return;
        const kept = options.replacesFiles ? adds.filter((each) => each.origin !== "file") : adds;
        waiting.set(path, [...kept, { sources, origin }]);
      },
    };
  }

  return {
    prepare(sources, options) {
      const { origin } = options;
      const conflicts = sources.flatMap((source) => conflictOf(mounts, source, origin) ?? []);
      const servable = sources.filter((source) => conflictAt(mounts, mountOf(source.raw)) === undefined);
      const groups = groupByMount(servable, origin);
      if (options.replacesFiles) for (const { mount } of mocksOf(mounts)) groups.set(mount, groups.get(mount) ?? []);
      // An input without blocks goes to the default mount, whose store says what is wrong with it.
      else if (sources.length === 0) groups.set(DEFAULT_MOUNT, []);
      const prepared = [...groups].map(([path, blocks]) => prepareAt(path, blocks, options));
      return {
        blocks: sources.length,
        added: prepared.flatMap((group) => group.added),
        warnings: prepared.flatMap((group) => group.warnings),
        errors: [...conflicts, ...prepared.flatMap((group) => group.errors)],
        commit() {
          for (const group of prepared) group.commit();
        },
      };
    },
    ensure(path) {
      if (mounts.get(path) === undefined) autoMount(path, new MCPMock());
    },
    mount(path, mount, open) {
      const adds = waiting.get(path);
      if (adds !== undefined && open) {
        host
          .logger()
          .warn(
            `MCP fakes: the mount at "${path}" is shadowed by the MCP mock auto-mounted at "${path}"; its requests reach the auto-mount`,
          );
        return;
      }
      for (const { sources, origin } of adds ?? []) handOver(sources, origin, { path, to: mount });
      waiting.delete(path);
      attach(path, mount);
    },
    toolsOf: (scope) =>
      new Set(mocksOf(mounts).flatMap(({ fakes, parts }) => [...parts.toolNames(), ...fakeToolsOf(fakes, scope)])),
    mocks: () => mocksOf(mounts),
    clear() {
      for (const { fakes } of mocksOf(mounts)) fakes.clear();
      for (const path of waiting.keys()) waiting.set(path, []);
    },
  };
}

/** Gives a mount the fakes that were waiting for its path. */
function handOver(sources: readonly BlockSource[], origin: Origin, { path, to }: { path: string; to: Mount }): void {
  const fakes = mockParts(to)?.fakes;
  if (fakes !== undefined) {
    fakes.add(sources, origin);
    return;
  }
  const [first, ...more] = sources.map((source) => conflictError(source, origin, notAMock(path, path)));
  if (first !== undefined) throw loadErrorOf([first, ...more]);
}

function fakeToolsOf(fakes: FakeStore, scope: McpFakeScope): readonly string[] {
  if (scope === "shared") return fakes.names("tool");
  const { testId = null, context = null } = scope;
  const contexts = testId === null ? [context] : [context, ...fakes.contextsOf(testId)];
  return contexts.flatMap((each) => [...fakes.listed("tool", { testId, context: each, undeclared: null }).keys()]);
}

function mocksOf(mounts: MountTable): MountedMock[] {
  return mounts.entries().flatMap(({ path, mount }) => {
    const parts = mockParts(mount);
    return parts === undefined ? [] : [{ mount: path, fakes: parts.fakes, parts }];
  });
}

/** What keeps fakes from being served at `path`, in the words of the seed's `mount-conflict`. */
function conflictAt(mounts: MountTable, path: string): string | undefined {
  if (path.startsWith(CONTROL_PREFIX)) {
    return `mount "${path}" is under the control API prefix "${CONTROL_PREFIX}", which takes its requests first, so its fakes cannot be served`;
  }
  // The table holds the longest paths first, so the first that leads to this one is the one that is asked first.
  const leading = mounts.entries().find((entry) => path === entry.path || path.startsWith(below(entry.path)));
  if (leading === undefined) return undefined;
  if (mockParts(leading.mount) === undefined) return notAMock(path, leading.path);
  return path === below(leading.path) && path !== leading.path
    ? `mount "${path}" is answered by the MCP mock at "${leading.path}" as its root, so its fakes cannot be served`
    : undefined;
}

function notAMock(path: string, leading: string): string {
  return `mount "${path}" is served by "${leading}", which is not an MCP mock, so its fakes cannot be served`;
}

function below(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}

function conflictOf(mounts: MountTable, source: BlockSource, origin: Origin): FixtureLoadError | undefined {
  const detail = conflictAt(mounts, mountOf(source.raw));
  return detail === undefined ? undefined : conflictError(source, origin, detail);
}

/** A block of a file is named by the file; one of a run-time add, which has no id yet, by its place in the input. */
function conflictError({ source, blockIndex }: BlockSource, origin: Origin, detail: string): FixtureLoadError {
  const place = blockIndex === null ? "" : `[${blockIndex}]`;
  const named =
    origin === "file"
      ? { blockId: `${source}${place}`, detail }
      : { blockId: null, detail: `mcpFakes${place}: ${detail}` };
  return new FixtureLoadError({ rule: "mcp-fakes/mount-conflict", file: source, entryId: null, ...named });
}
