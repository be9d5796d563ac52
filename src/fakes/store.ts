import { type FixtureLoadError, McpFakesAddError, type McpFakeWarning } from "../errors.ts";
import { addProblems } from "../fixtures/add-problems.ts";
import { createBlockNames } from "../fixtures/block-names.ts";
import type { BlockSource } from "../fixtures/block-sources.ts";
import { readBlocks } from "../fixtures/mcp-fakes.ts";
import { SCRIPT_DEFAULTS, type ScriptSettings } from "../fixtures/mock/settings.ts";
import type { Identity } from "../identity.ts";
import type { Json, JsonObject } from "../json.ts";
import { answerOf, claimEntry, isConsumed } from "./claim.ts";
import { createConsumption } from "./consumption.ts";
import type { Verdict } from "./expectations.ts";
import { type FakeToolListing, listTools } from "./listing.ts";
import type { Block, Entry, Origin } from "./model.ts";
import { type Nearest, nearestMiss } from "./near-miss.ts";
import type { Offers } from "./offers.ts";
import type { Outcome } from "./outcome.ts";
import { createPlans } from "./plans.ts";
import { entriesOf, ordersInPlaceOf, unchangedBlocks } from "./reload.ts";
import { createScopeIndex } from "./scope.ts";
import { type McpFakeBlockSnapshot, snapshotOf, type UnconsumedEntry, unconsumedOf } from "./views.ts";

/** The fakes of one mount: blocks found by scope, and the used entries of each test id. */
export interface FakeStore {
  /** Loaded blocks. */
  readonly count: number;
  /**
   * Checks an add without making it, so that a load over several mounts can be all or nothing. Never throws, moves no
   * counter. `commit` throws when there were errors, or when the store has changed since.
   */
  prepare(sources: readonly BlockSource[], origin: Origin, options?: AddOptions): PreparedAdd;
  /** Adds blocks, all or none. Throws a {@link McpFakesAddError} with every problem. */
  add(sources: readonly BlockSource[], origin: Origin, options?: AddOptions): AddedBlocks;
  /** Takes the first unused entry that matches, synchronously. `args` is `undefined` when the call had none. */
  claim(tool: string, args: Json | undefined, identity: Identity): Outcome;
  /** The answer of an entry that a call has claimed before; `undefined` when it is not loaded any more. */
  resume(entryId: string, args: Json | undefined): Extract<Outcome, { kind: "answered" }> | undefined;
  /** Says that an entry's answer is on its way: the scenario moves on. */
  settle(entry: Entry, identity: Identity): void;
  /** Says that an entry's answer did not arrive: it is as unused as it was before. */
  giveBack(entry: Entry, identity: Identity): void;
  wasGivenBack(entry: Entry, identity: Identity): boolean;
  /** The verdict, when the tool is the reserved one that asks for it; it is then final until the test's next call. */
  finalize(tool: string, identity: Identity): Verdict | null;
  /** Whether a test did what the plans that apply to it expect; `null` when there is none. */
  verdict(identity: Identity): Verdict | null;
  /** The verdicts that were not asked for since their test's last call. */
  pendingVerdicts(): { readonly testId: string | null; readonly verdict: Verdict }[];
  /** What the blocks that apply offer beside tools, in load order. */
  offers(identity: Identity): readonly Offers[];
  /** What the first loaded file that says so has the server tell of itself. */
  readonly server: Offers["server"];
  /** The entry that came closest to a call that none took. */
  nearest(tool: string, args: Json | undefined, identity: Identity): Nearest | null;
  /** Tools declared by the blocks that apply, in load order of first declaration. */
  tools(identity: Identity): readonly FakeToolListing[];
  /**
   * The input schema that these blocks give a tool, when some tool of this mount asks for headers with `x-mcp-header`:
   * only then does the wire need it.
   */
  schemaWithHeaders(tool: string, identity: Identity): JsonObject | undefined;
  /** Tools declared by any block, whatever its scope. */
  toolNames(): readonly string[];
  /** What happens to tools that no block of the request declares: its own say, else deny if a scoped block says so. */
  policy(identity: Identity): "allow" | "deny";
  /** The blocks that apply, as `GET /__aimock/mcp/fakes` shows them. */
  snapshot(identity: Identity): McpFakeBlockSnapshot[];
  /** Entries that apply and that this test id has not used, in load order. */
  unconsumed(identity: Identity): UnconsumedEntry[];
  /** The contexts that blocks scoped to this test ask for: each is a view of its own. */
  contextsOf(testId: string): readonly string[];
  isEvicted(testId: string | null): boolean;
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

interface AddOptions {
  /** The running test whose end removes the blocks. */
  readonly owner?: string | null;
  /** The blocks take the place of all that came from files: what is unchanged keeps its uses. */
  readonly replacesFiles?: boolean;
}

interface AddedBlocks {
  readonly blocks: number;
  readonly warnings: readonly McpFakeWarning[];
}

interface PreparedAdd extends AddedBlocks {
  readonly errors: readonly FixtureLoadError[];
  commit(): void;
}

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
  /** What files of the second dialect do not say themselves. */
  readonly settings?: () => ScriptSettings;
}

/**
 * Creates the empty fakes of one mount.
 *
 * @example
 * const store = createFakeStore({ mount: () => "/mcp", cap: 0, aliases: () => [] });
 * store.add(blockSources({ scope: "shared", tools: [...] }, null), "code");
 * store.claim("get_weather", { city: "Seattle" }, { testId: "t", context: null, undeclared: null });
 */
export function createFakeStore({
  mount,
  cap,
  evicting = () => {},
  aliases,
  settings = () => SCRIPT_DEFAULTS,
}: FakeStoreOptions): FakeStore {
  const names = createBlockNames();
  const index = createScopeIndex(aliases);
  const consumption = createConsumption(cap, evicting);
  const plans = createPlans(consumption);
  const blocks = new Map<string, Block>();
  const blockOfEntry = new Map<string, string>();
  const owned = new Map<string, Block[]>();
  const withHeaders = new Set<Block>();
  /** The text of each block that came from a file. */
  const fileTexts = new Map<Block, string>();
  let order = 0;
  let changes = 0;
  /** How many loaded blocks have a script. */
  let scripts = 0;
  let server: Offers["server"] = null;

  function load(block: Block, owner: string | null): void {
    blocks.set(block.id, block);
    if (block.script !== null) scripts++;
    server ??= block.offers?.server ?? null;
    for (const entry of entriesOf(block)) blockOfEntry.set(entry.id, block.id);
    index.add(block);
    if (asksForHeaders(block)) withHeaders.add(block);
    if (owner === null) return;
    const theirs = owned.get(owner) ?? [];
    owned.set(owner, theirs);
    theirs.push(block);
  }

  function unload(block: Block): boolean {
    if (blocks.get(block.id) !== block) return false;
    changes++;
    if (block.script !== null) scripts--;
    blocks.delete(block.id);
    if (server !== null && block.offers?.server === server) server = firstServer(blocks.values());
    fileTexts.delete(block);
    for (const entry of entriesOf(block)) blockOfEntry.delete(entry.id);
    index.remove(block);
    withHeaders.delete(block);
    return true;
  }

  function prepare(
    sources: readonly BlockSource[],
    origin: Origin,
    { owner = null, replacesFiles = false }: AddOptions = {},
  ): PreparedAdd {
    const leaving = replacesFiles ? new Map(fileTexts) : new Map<Block, string>();
    const isEmptied = replacesFiles && sources.length === 0;
    const problems = isEmptied ? [] : addProblems(sources, origin, names.next(origin));
    if (problems.length > 0) return refused(problems, []);
    const add = names.name(sources, origin, { anew: replacesFiles });
    const staying = (blockId: string) => {
      const block = blocks.get(blockId);
      return block === undefined || leaving.has(block) ? undefined : block;
    };
    const read = readBlocks(add.named, {
      sourceOf: (blockId) => staying(blockId)?.source,
      blockOf: (entryId) => staying(blockOfEntry.get(entryId) ?? "")?.id,
      nextOrder: leaving.size === 0 ? () => order++ : ordersInPlaceOf([...leaving.keys()]),
      settings: settings(),
    });
    if (read.errors.length > 0) return refused(read.errors, read.warnings);
    const preparedAt = changes;
    return {
      blocks: read.blocks.length,
      warnings: read.warnings,
      errors: [],
      commit() {
        if (changes !== preparedAt)
          throw new Error("These blocks were prepared before the store changed: prepare them again");
        changes++;
        add.commit();
        for (const block of leaving.keys()) unload(block);
        for (const block of read.blocks) load(block, owner);
        if (origin !== "file") return;
        const texts = new Map(add.named.map(({ blockId, raw }) => [blockId, JSON.stringify(raw)]));
        for (const block of read.blocks) fileTexts.set(block, texts.get(block.id) ?? "");
        if (leaving.size > 0) consumption.carry(unchangedBlocks(leaving, fileTexts));
      },
    };
  }

  function policy(identity: Identity): "allow" | "deny" {
    if (identity.undeclared !== null) return identity.undeclared;
    return index.blocks(identity).some((block) => block.undeclaredTools === "deny") ? "deny" : "allow";
  }

  const scriptsOf = (identity: Identity) => index.blocks(identity).flatMap(({ script }) => script ?? []);

  function claimUndeclared(tool: string, received: Json, identity: Identity): Outcome {
    const [script] = scripts === 0 ? [] : scriptsOf(identity);
    if (script !== undefined && script.plan.mode !== "passthrough") {
      return plans.unexpected(identity.testId, { script, tool, received, matching: [] });
    }
    if (policy(identity) === "allow") return { kind: "unfaked", unknownTool: script?.unknownTool ?? "error" };
    return { kind: "not_declared", declaredTools: listTools(index.blocks(identity)).map(({ name }) => name) };
  }

  const timesUsedBy = (testId: string | null) => (entry: Entry) => consumption.timesUsed(testId, entry);
  const isConsumedBy = (testId: string | null) => (entry: Entry) =>
    isConsumed(entry, consumption.timesUsed(testId, entry));

  return {
    get count() {
      return blocks.size;
    },
    prepare,
    add(sources, origin, options) {
      const prepared = prepare(sources, origin, options);
      const [first, ...others] = prepared.errors;
      if (first !== undefined) throw new McpFakesAddError([first, ...others], prepared.warnings);
      prepared.commit();
      return { blocks: prepared.blocks, warnings: prepared.warnings };
    },
    claim(tool, args, identity) {
      const candidates = index.candidates(tool, identity);
      const received = args === undefined ? {} : args;
      if (candidates === null) return claimUndeclared(tool, received, identity);
      const { testId } = identity;
      if (consumption.isEvicted(testId)) return { kind: "evicted", cap: consumption.cap };
      const call = {
        received,
        callIndex: candidates.countsCalls ? consumption.countCall(testId, tool) : 0,
        state: consumption.stateOf(testId),
      };
      const outcome = claimEntry(candidates, plans.statesFor(testId), call);
      if (outcome.kind === "answered") {
        consumption.use(testId, outcome.entry);
        if (outcome.entry.expectation !== null) plans.used(testId, outcome.entry.expectation);
        return outcome;
      }
      const { script } = candidates;
      return script === null
        ? outcome
        : plans.unexpected(testId, { script, tool, received, matching: candidates.matching(call) });
    },
    finalize(tool, identity) {
      if (scripts === 0 || scriptsOf(identity).every(({ finalizeTool }) => finalizeTool !== tool)) return null;
      return plans.finalize(identity.testId, scriptsOf(identity));
    },
    verdict(identity) {
      const applying = scriptsOf(identity);
      return applying.length === 0 ? null : plans.verdict(identity.testId, applying);
    },
    offers: (identity) => (scripts === 0 ? NO_OFFERS : index.blocks(identity).flatMap(({ offers }) => offers ?? [])),
    get server() {
      return server;
    },
    pendingVerdicts() {
      if (scripts === 0) return [];
      return consumption.testIds().flatMap((testId) => {
        const applying = scriptsOf({ testId, context: null, undeclared: null });
        const verdict = plans.pending(testId, applying);
        return verdict === null ? [] : [{ testId, verdict }];
      });
    },
    resume(entryId, args) {
      const block = blocks.get(blockOfEntry.get(entryId) ?? "");
      const entry = block === undefined ? undefined : entriesOf(block).find(({ id }) => id === entryId);
      return entry && { kind: "answered", entry, answer: answerOf(entry, args === undefined ? {} : args) };
    },
    settle: (entry, { testId }) => consumption.moveOn(testId, entry),
    giveBack: (entry, { testId }) => consumption.giveBack(testId, entry),
    wasGivenBack: (entry, { testId }) => consumption.wasGivenBack(testId, entry),
    nearest(tool, args, identity) {
      const { testId } = identity;
      const applying = index.blocks(identity);
      return nearestMiss({
        tool,
        call: {
          received: args === undefined ? {} : args,
          // The missed call itself has been counted.
          callIndex: Math.max(0, consumption.callsOf(testId, tool) - 1),
          state: consumption.stateOf(testId),
        },
        applying: applying.flatMap(entriesOf),
        foreign: foreignEntries(blocks.values(), new Set(applying), tool),
        timesUsed: timesUsedBy(testId),
      });
    },
    toolNames: () => [...blocks.values()].flatMap((block) => block.tools.map((tool) => tool.name)),
    tools: (identity) => listTools(index.blocks(identity)),
    schemaWithHeaders(tool, identity) {
      if (withHeaders.size === 0) return undefined;
      return listTools(index.blocks(identity)).find(({ name }) => name === tool)?.inputSchema;
    },
    policy,
    snapshot: (identity) =>
      snapshotOf(index.blocks(identity), {
        isConsumed: isConsumedBy(identity.testId),
        evicted: consumption.isEvicted(identity.testId),
      }),
    unconsumed: (identity) =>
      unconsumedOf(index.blocks(identity), { isConsumed: isConsumedBy(identity.testId), mount: mount() }),
    contextsOf: (testId) => index.contextsOf(testId),
    isEvicted: (testId) => consumption.isEvicted(testId),
    removeBlock(blockId) {
      const block = blocks.get(blockId);
      return block !== undefined && unload(block);
    },
    removeScopedTo: (testId) => index.scopedTo(testId).filter(unload).length,
    removeOwnedBy(testId) {
      const theirs = owned.get(testId) ?? [];
      owned.delete(testId);
      return theirs.filter(unload).length;
    },
    reset: (testId) => consumption.reset(testId),
    clear() {
      changes++;
      blocks.clear();
      scripts = 0;
      server = null;
      fileTexts.clear();
      blockOfEntry.clear();
      owned.clear();
      withHeaders.clear();
      index.clear();
      consumption.reset();
    },
    setCap: (next) => consumption.setCap(next),
  };
}

function firstServer(blocks: Iterable<Block>): Offers["server"] {
  for (const { offers } of blocks) if (offers !== null && offers.server !== null) return offers.server;
  return null;
}

const NO_OFFERS: readonly Offers[] = [];

function refused(errors: readonly FixtureLoadError[], warnings: readonly McpFakeWarning[]): PreparedAdd {
  return {
    blocks: 0,
    warnings,
    errors,
    commit() {
      throw new Error("Blocks with errors cannot be added");
    },
  };
}

/** The entries of one tool in blocks that do not apply. */
function* foreignEntries(
  blocks: Iterable<Block>,
  applying: ReadonlySet<Block>,
  tool: string,
): Generator<{ entry: Entry; scope: Block["scope"] }> {
  for (const block of blocks) {
    if (applying.has(block)) continue;
    for (const declared of block.tools) {
      if (declared.name === tool) for (const entry of declared.entries) yield { entry, scope: block.scope };
    }
  }
}

function asksForHeaders(block: Block): boolean {
  return block.tools.some(({ inputSchema }) => JSON.stringify(inputSchema).includes('"x-mcp-header"'));
}
