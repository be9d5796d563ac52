import type { FixtureLoadError } from "../errors.ts";
import { SCRIPT_DEFAULTS, type ScriptSettings } from "../fixtures/mock/settings.ts";
import { registeredBreaches } from "../fixtures/registered.ts";
import type { McpFakeScope } from "../fixtures/types.ts";
import type { Identity } from "../identity.ts";
import type { JsonObject } from "../json.ts";
import { type Adds, createAdds } from "./adds.ts";
import { isConsumed } from "./claim.ts";
import { type Claims, createClaims } from "./claims.ts";
import { createConsumption } from "./consumption.ts";
import type { ServerFault } from "./fault.ts";
import { type FaultUsage, faultUsesOf, type UnusedFault, unusedFaultsOf } from "./fault-views.ts";
import { createLoadedBlocks, type LoadedBlocks } from "./loaded.ts";
import type { Block, Entry } from "./model.ts";
import { createPlans } from "./plans.ts";
import type { Tier } from "./scope.ts";
import { createServerFaults, type ServerFaults } from "./server-faults.ts";
import { createVerdicts, type Verdicts } from "./verdicts.ts";
import {
  type EntryUsage,
  type McpFakeBlockSnapshot,
  snapshotOf,
  type UnconsumedEntry,
  unconsumedOf,
  usesOf,
} from "./views.ts";

/** The fakes of one mount: blocks found by scope, and the used entries of each test id. */
export interface FakeStore extends Adds, Claims, Verdicts, Said, Pick<ServerFaults, "strike"> {
  /** The blocks that apply, as `GET /__aimock/mcp/fakes` shows them. */
  snapshot(identity: Identity): McpFakeBlockSnapshot[];
  /** Entries that apply and that this test id has not used, in load order. */
  unconsumed(identity: Identity): UnconsumedEntry[];
  /** Faults of the server that apply and befell no request of this test id, without optional ones, in load order. */
  unusedFaults(identity: Identity): (UnusedFault & { readonly tier: Tier })[];
  /** The scope of each loaded block, in load order. */
  scopes(): McpFakeScope[];
  /** How often each loaded entry answered, in load order. */
  usage(): EntryUsage[];
  /** How often each loaded fault of the server came, in load order. */
  faultUsage(): FaultUsage[];
  isEvicted(testId: string | null): boolean;
  /** What keeps loaded entries from being served by a tool that code is about to register so. */
  breachesOf(tool: string, definition: JsonObject): readonly FixtureLoadError[];
  /** Whether there was such a block. */
  removeBlock(blockId: string): boolean;
  /** Removes the blocks whose scope names exactly this test id; answers how many. */
  removeScopedTo(testId: string): number;
  /** Removes the blocks that were added with this owner; answers how many. */
  removeOwnedBy(testId: string): number;
  /** Marks the entries of one test id unused, of all without one; see {@link createConsumption}. */
  reset(testId?: string): void;
  /** Unloads every block and forgets what was used. Id counters go on. */
  clear(): void;
  /** How many test ids keep their state; 0 = all. */
  setCap(cap: number): void;
}

/** What the loaded blocks say by themselves. */
type Said = Pick<
  LoadedBlocks,
  | "count"
  | "server"
  | "offers"
  | "listed"
  | "names"
  | "schemaWithHeaders"
  | "definition"
  | "limiting"
  | "isUnsafe"
  | "policy"
  | "contextsOf"
>;

/** The rules of the store. */
export interface FakeStoreOptions {
  /** The path that the mock is served at. */
  readonly mount: () => string;
  /** How many test ids keep their used entries before the oldest is evicted; 0 = no cap. */
  readonly cap: number;
  /** Told of each test id that the cap evicts. */
  readonly evicting?: () => void;
  /** Scope ids, beside its own, that a test id answers to. */
  readonly aliases: (testId: string) => readonly string[];
  /** What goes wrong with the methods of the server for every test. */
  readonly faults?: readonly ServerFault[];
  /** What files of the second dialect do not say themselves. */
  readonly settings?: () => ScriptSettings;
  /** A tool as code registered it: its entries must be what it could serve. */
  readonly registered?: (tool: string) => JsonObject | undefined;
}

/**
 * Creates the empty fakes of one mount.
 *
 * @example
 * const store = createFakeStore({ mount: () => "/mcp", cap: 0, aliases: () => [] });
 * store.add(blockSources({ scope: "shared", tools: [...] }, null), "code");
 * store.claim(toolTarget("get_weather"), { city: "Seattle" }, { testId: "t", context: null, undeclared: null });
 */
export function createFakeStore({
  mount,
  cap,
  evicting = () => {},
  aliases,
  faults = [],
  settings = () => SCRIPT_DEFAULTS,
  registered = () => undefined,
}: FakeStoreOptions): FakeStore {
  const loaded = createLoadedBlocks(aliases);
  const consumption = createConsumption(cap, evicting);
  const serverFaults = createServerFaults({ loaded, faults, cap: () => consumption.cap });
  const parts = { loaded, consumption, serverFaults, plans: createPlans(consumption), settings, registered, aliases };
  const isFile = (block: Block) => loaded.files.has(block);
  const isConsumedBy = (testId: string | null) => {
    const timesUsed = consumption.timesUsedBy(testId);
    return (entry: Entry) => isConsumed(entry, timesUsed(entry));
  };

  return {
    ...createAdds(parts),
    ...createClaims(parts),
    ...createVerdicts(parts),
    strike: serverFaults.strike,
    get count() {
      return loaded.count;
    },
    get server() {
      return loaded.server;
    },
    offers: loaded.offers,
    listed: loaded.listed,
    names: loaded.names,
    schemaWithHeaders: loaded.schemaWithHeaders,
    definition: loaded.definition,
    limiting: loaded.limiting,
    isUnsafe: loaded.isUnsafe,
    policy: loaded.policy,
    contextsOf: loaded.contextsOf,
    snapshot: (identity) =>
      snapshotOf(loaded.applying(identity), {
        isConsumed: isConsumedBy(identity.testId),
        evicted: consumption.isEvicted(identity.testId),
      }),
    unconsumed: (identity) =>
      unconsumedOf(loaded.applying(identity), {
        timesUsed: consumption.timesUsedBy(identity.testId),
        mount: mount(),
      }),
    unusedFaults: (identity) =>
      unusedFaultsOf(loaded.applying(identity), {
        countOf: (fault) => serverFaults.countOf(identity.testId, fault),
        mount: mount(),
      }),
    scopes: () => [...loaded.all()].map(({ scope }) => scope),
    usage: () => usesOf(loaded.all(), { mount: mount(), isFile, uses: consumption.totalUses() }),
    faultUsage: () => faultUsesOf(loaded.all(), { mount: mount(), isFile, uses: serverFaults.totalStrikes }),
    breachesOf: (tool, definition) =>
      registeredBreaches(loaded.all(), (name) => (name === tool ? definition : undefined)),
    isEvicted: (testId) => consumption.isEvicted(testId),
    removeBlock(blockId) {
      const block = loaded.get(blockId);
      return block !== undefined && loaded.unload(block);
    },
    removeScopedTo: (testId) => loaded.scopedTo(testId).filter(loaded.unload).length,
    removeOwnedBy: (testId) => loaded.disown(testId).filter(loaded.unload).length,
    reset(testId) {
      consumption.reset(testId);
      serverFaults.reset(testId);
    },
    clear() {
      loaded.clear();
      consumption.reset();
      serverFaults.reset();
    },
    setCap: (next) => consumption.setCap(next),
  };
}
