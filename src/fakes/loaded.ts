import { limitsArguments } from "../fixtures/served.ts";
import type { Identity } from "../identity.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { merged, promisesAnything } from "./definition.ts";
import type { ServerFault } from "./fault.ts";
import { listTargets } from "./listing.ts";
import type { Candidates } from "./match.ts";
import type { Block } from "./model.ts";
import type { Offers } from "./offers.ts";
import { entriesOf } from "./reload.ts";
import { createScopeIndex, type ScopeIndex, specificity } from "./scope.ts";
import type { Script } from "./script.ts";
import { type Target, type TargetKind, toolTarget } from "./target.ts";

/** The blocks of one mount and what they say, whatever was used of them. */
export interface LoadedBlocks {
  readonly count: number;
  /** How often what is loaded has changed. */
  readonly changes: number;
  /** Takes in one add. */
  load(blocks: readonly Block[], from: BlockOrigin): void;
  /** Whether the block was there. */
  unload(block: Block): boolean;
  clear(): void;
  get(blockId: string): Block | undefined;
  all(): Iterable<Block>;
  /** The block that holds an entry. */
  blockOf(entryId: string): Block | undefined;
  /** The blocks that came from files, with their text. */
  readonly files: ReadonlyMap<Block, string>;
  /** The blocks that apply to a request, in load order. */
  applying(identity: Identity): readonly Block[];
  /** The entries that may answer for a target; `null` when no block that applies declares it. */
  candidates(target: Target, identity: Identity): Candidates | null;
  /** The scripts of the blocks that apply, in load order. */
  scripts(identity: Identity): readonly Script[];
  /** What the blocks that apply offer beside their targets, in load order. */
  offers(identity: Identity): readonly Offers[];
  /** The faults of the server in the blocks that apply, those of the most specific scopes first. */
  faults(identity: Identity): readonly ServerFault[];
  /** What the first loaded file that says so has the server tell of itself. */
  readonly server: Offers["server"];
  /** The targets of one kind that the blocks which apply declare, as lists show them, in load order of first declaration. */
  listed(kind: TargetKind, identity: Identity): ReadonlyMap<string, JsonObject>;
  /** The names of one kind of targets that any block declares, whatever its scope. */
  names(kind: TargetKind): readonly string[];
  /**
   * The input schema that these blocks give a tool, when some tool of this mount asks for headers with `x-mcp-header`:
   * only then does the wire need it.
   */
  schemaWithHeaders(tool: string, identity: Identity): JsonObject | undefined;
  /** A target as lists show it, when a block that applies declares it. */
  definition(target: Target, identity: Identity): JsonObject | undefined;
  /** A tool as blocks declare it, when its input schema limits its arguments; costs next to nothing where none does. */
  limiting(tool: string, identity: Identity): JsonObject | undefined;
  /** A target as each tier declares it, the most specific first. */
  definitions: ScopeIndex["definitions"];
  /** Whether some block gives this tool schemas that say something. */
  promises(tool: string): boolean;
  /** Whether an entry may break what its target promises. */
  isUnsafe(entryId: string): boolean;
  /** What happens to tools that no block of the request declares: its own say, else deny if a scoped block says so. */
  policy(identity: Identity): "allow" | "deny";
  /** The contexts that blocks scoped to this test ask for: each is a view of its own. */
  contextsOf(testId: string): readonly string[];
  /** Blocks whose scope names exactly this test id. */
  scopedTo(testId: string): readonly Block[];
  /** The blocks that were added with this owner; they are its own no more. */
  disown(testId: string): readonly Block[];
}

/** Who brought a block, and the text that it was read from when that was a file. */
export interface BlockOrigin {
  /** The running test whose end removes the blocks. */
  readonly owner: string | null;
  textOf(block: Block): string | null;
}

/** Creates a mount without blocks. `aliases` tells the other scope ids that a test answers to. */
export function createLoadedBlocks(aliases: (testId: string) => readonly string[]): LoadedBlocks {
  const index = createScopeIndex(aliases);
  const blocks = new Map<string, Block>();
  const blockOfEntry = new Map<string, Block>();
  const owned = new Map<string, Block[]>();
  const withHeaders = new Set<Block>();
  /** How many loaded blocks give a tool schemas that say something, by tool. */
  const promised = new Map<string, number>();
  const files = new Map<Block, string>();
  let changes = 0;
  /** How many loaded blocks have a script. */
  let scripts = 0;
  /** How many loaded blocks have faults of the server. */
  let faulty = 0;
  let server: Offers["server"] = null;

  function load(block: Block, { owner, textOf }: BlockOrigin): void {
    blocks.set(block.id, block);
    if (block.script !== null) scripts++;
    if (block.faults.length > 0) faulty++;
    server ??= block.offers?.server ?? null;
    for (const entry of entriesOf(block)) blockOfEntry.set(entry.id, block);
    index.add(block);
    if (asksForHeaders(block)) withHeaders.add(block);
    countPromised(block, 1);
    const text = textOf(block);
    if (text !== null) files.set(block, text);
    if (owner === null) return;
    const theirs = owned.get(owner) ?? [];
    owned.set(owner, theirs);
    theirs.push(block);
  }

  function countPromised({ targets }: Block, by: 1 | -1): void {
    for (const { kind, name, definition } of targets) {
      if (kind !== "tool" || !promisesAnything(definition)) continue;
      const count = (promised.get(name) ?? 0) + by;
      if (count === 0) promised.delete(name);
      else promised.set(name, count);
    }
  }

  const scriptsOf = (identity: Identity) =>
    scripts === 0 ? NONE : index.blocks(identity).flatMap(({ script }) => script ?? []);

  return {
    get count() {
      return blocks.size;
    },
    get changes() {
      return changes;
    },
    get server() {
      return server;
    },
    load(added, from) {
      changes++;
      for (const block of added) load(block, from);
    },
    unload(block) {
      if (blocks.get(block.id) !== block) return false;
      changes++;
      if (block.script !== null) scripts--;
      if (block.faults.length > 0) faulty--;
      blocks.delete(block.id);
      if (server !== null && block.offers?.server === server) server = firstServer(blocks.values());
      files.delete(block);
      for (const entry of entriesOf(block)) blockOfEntry.delete(entry.id);
      index.remove(block);
      withHeaders.delete(block);
      countPromised(block, -1);
      return true;
    },
    clear() {
      changes++;
      scripts = 0;
      faulty = 0;
      server = null;
      for (const each of [blocks, blockOfEntry, owned, withHeaders, promised, files, index]) each.clear();
    },
    get: (blockId) => blocks.get(blockId),
    all: () => blocks.values(),
    blockOf: (entryId) => blockOfEntry.get(entryId),
    files,
    applying: (identity) => index.blocks(identity),
    candidates: (target, identity) => index.candidates(target, identity),
    scripts: scriptsOf,
    offers: (identity) => (scripts === 0 ? NONE : index.blocks(identity).flatMap(({ offers }) => offers ?? [])),
    faults(identity) {
      if (faulty === 0) return NONE;
      const closest = [...index.blocks(identity)].sort(
        (one, other) => specificity(one.scope) - specificity(other.scope),
      );
      return closest.flatMap(({ faults }) => faults);
    },
    listed: (kind, identity) => listTargets(kind, index.blocks(identity)),
    names: (kind) =>
      [...blocks.values()].flatMap(({ targets }) =>
        targets.filter((target) => target.kind === kind).map(({ name }) => name),
      ),
    schemaWithHeaders(tool, identity) {
      if (withHeaders.size === 0) return undefined;
      const schema = listTargets("tool", index.blocks(identity)).get(tool)?.inputSchema;
      return schema !== undefined && isJsonObject(schema) ? schema : undefined;
    },
    definition: ({ kind, name }, identity) => merged(index.definitions({ kind, name }, identity)),
    limiting(tool, identity) {
      if (promised.size === 0 || !promised.has(tool)) return undefined;
      const target = toolTarget(tool);
      const own = index.candidates(target, identity)?.definition;
      if (own === undefined || limitsArguments(own)) return own;
      return index.definitions(target, identity).find((told) => told !== undefined && limitsArguments(told));
    },
    definitions: index.definitions,
    promises: (tool) => promised.has(tool),
    isUnsafe: (entryId) => {
      const block = blockOfEntry.get(entryId);
      return block !== undefined && entriesOf(block).some(({ id, isUnsafe }) => id === entryId && isUnsafe);
    },
    policy(identity) {
      if (identity.undeclared !== null) return identity.undeclared;
      return index.blocks(identity).some((block) => block.undeclaredTools === "deny") ? "deny" : "allow";
    },
    contextsOf: (testId) => index.contextsOf(testId),
    scopedTo: (testId) => index.scopedTo(testId),
    disown(testId) {
      const theirs = owned.get(testId) ?? [];
      owned.delete(testId);
      return theirs;
    },
  };
}

const NONE: readonly never[] = [];

function firstServer(blocks: Iterable<Block>): Offers["server"] {
  for (const { offers } of blocks) if (offers !== null && offers.server !== null) return offers.server;
  return null;
}

function asksForHeaders({ targets }: Block): boolean {
  return targets.some(({ definition }) => JSON.stringify(definition.inputSchema)?.includes('"x-mcp-header"') === true);
}
