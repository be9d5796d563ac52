import { FixtureLoadError, McpFakesAddError, type McpFakeWarning } from "../errors.ts";
import { addProblems } from "../fixtures/add-problems.ts";
import { createBlockNames } from "../fixtures/block-names.ts";
import type { BlockSource } from "../fixtures/block-sources.ts";
import { declaredBreaches, type Met } from "../fixtures/declared.ts";
import { readBlocks } from "../fixtures/mcp-fakes.ts";
import type { ScriptSettings } from "../fixtures/mock/settings.ts";
import { registeredBreaches } from "../fixtures/registered.ts";
import type { JsonObject } from "../json.ts";
import { showName } from "../text.ts";
import type { Consumption } from "./consumption.ts";
import type { LoadedBlocks } from "./loaded.ts";
import type { Block, Origin } from "./model.ts";
import { ordersInPlaceOf, unchangedBlocks, zip } from "./reload.ts";
import { createScopeIndex } from "./scope.ts";
import type { ServerFaults } from "./server-faults.ts";

/** How blocks come to a mount. */
export interface Adds {
  /**
   * Checks an add without making it, so that a load over several mounts can be all or nothing. Never throws, moves no
   * counter. `commit` throws when there were errors, or when the store has changed since.
   */
  prepare(sources: readonly BlockSource[], origin: Origin, options?: AddOptions): PreparedAdd;
  /** Adds blocks, all or none. Throws a {@link McpFakesAddError} with every problem. */
  add(sources: readonly BlockSource[], origin: Origin, options?: AddOptions): AddedBlocks;
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
  /** The blocks' ids, in their order. */
  readonly blockIds: readonly string[];
  readonly errors: readonly FixtureLoadError[];
  commit(): void;
}

export interface AddsDependencies {
  readonly loaded: LoadedBlocks;
  readonly consumption: Consumption;
  readonly serverFaults: Pick<ServerFaults, "carry">;
  /** What files of the second dialect do not say themselves. */
  settings(): ScriptSettings;
  /** A tool as code registered it. */
  registered(tool: string): JsonObject | undefined;
  /** Scope ids, beside its own, that a test id answers to. */
  aliases(testId: string): readonly string[];
}

/** The way in of one mount. Its counters of names and of load order only ever go up. */
export function createAdds({
  loaded,
  consumption,
  serverFaults,
  settings,
  registered,
  aliases,
}: AddsDependencies): Adds {
  const names = createBlockNames();
  let order = 0;

  /** What is loaded, without what leaves with the add. */
  function met(leaving: ReadonlyMap<Block, string>): Met {
    const isRegistered = (tool: string) => registered(tool) !== undefined;
    if (leaving.size === 0) return { index: loaded, all: loaded.all, promises: loaded.promises, aliases, isRegistered };
    const staying = [...loaded.all()].filter((block) => !leaving.has(block));
    const index = createScopeIndex(aliases);
    for (const block of staying) index.add(block);
    return { index, all: () => staying, promises: loaded.promises, aliases, isRegistered };
  }

  function prepare(
    sources: readonly BlockSource[],
    origin: Origin,
    { owner = null, replacesFiles = false }: AddOptions = {},
  ): PreparedAdd {
    const leaving = replacesFiles ? new Map(loaded.files) : new Map<Block, string>();
    const isEmptied = replacesFiles && sources.length === 0;
    const problems = isEmptied ? [] : addProblems(sources, origin, names.next(origin));
    if (problems.length > 0) return refused(problems, []);
    const add = names.name(sources, origin, { anew: replacesFiles });
    const staying = (block: Block | undefined) => (block === undefined || leaving.has(block) ? undefined : block);
    const read = readBlocks(add.named, {
      sourceOf: (blockId) => staying(loaded.get(blockId))?.source,
      blockOf: (entryId) => staying(loaded.blockOf(entryId))?.id,
      nextOrder: leaving.size === 0 ? () => order++ : ordersInPlaceOf([...leaving.keys()]),
      settings: settings(),
    });
    const errors =
      read.errors.length > 0
        ? read.errors
        : [
            ...registeredBreaches(read.blocks, registered),
            ...declaredBreaches(read.blocks, met(leaving)),
            ...scopeBreaches(read.blocks, { owner, aliases }),
          ];
    if (errors.length > 0) return refused(errors, read.warnings);
    const preparedAt = loaded.changes;
    return {
      blocks: read.blocks.length,
      blockIds: read.blocks.map(({ id }) => id),
      warnings: read.warnings,
      errors: [],
      commit() {
        if (loaded.changes !== preparedAt)
          throw new Error("These blocks were prepared before the store changed: prepare them again");
        add.commit();
        for (const block of leaving.keys()) loaded.unload(block);
        const texts = new Map(
          origin === "file" ? add.named.map(({ blockId, raw }) => [blockId, JSON.stringify(raw)]) : [],
        );
        loaded.load(read.blocks, { owner, textOf: ({ id }) => texts.get(id) ?? null });
        if (leaving.size === 0) return;
        const unchanged = unchangedBlocks(leaving, loaded.files);
        consumption.carry(unchanged);
        serverFaults.carry(unchanged.flatMap(([before, now]) => zip(before.faults, now.faults)));
      },
    };
  }

  return {
    prepare,
    add(sources, origin, options) {
      const prepared = prepare(sources, origin, options);
      const [first, ...others] = prepared.errors;
      if (first !== undefined) throw new McpFakesAddError([first, ...others], prepared.warnings);
      prepared.commit();
      return { blocks: prepared.blocks, warnings: prepared.warnings };
    },
  };
}

/** Blocks that go with their owner's end and are scoped to another test: nobody would ever be answered from them. */
function scopeBreaches(
  blocks: readonly Block[],
  { owner, aliases }: { owner: string | null } & Pick<AddsDependencies, "aliases">,
): FixtureLoadError[] {
  if (owner === null) return [];
  return blocks.flatMap(({ id: blockId, source: file, scope }) => {
    const testId = scope === "shared" ? undefined : scope.testId;
    if (testId === undefined || testId === owner || aliases(owner).includes(testId)) return [];
    const detail = `scope.testId ${showName(testId)} names another test than ${showName(owner)}, which adds the block`;
    return new FixtureLoadError({ rule: "mcp-fakes/bad-block:b", file, blockId, entryId: null, detail });
  });
}

function refused(errors: readonly FixtureLoadError[], warnings: readonly McpFakeWarning[]): PreparedAdd {
  return {
    blocks: 0,
    blockIds: [],
    warnings,
    errors,
    commit() {
      throw new Error("Blocks with errors cannot be added");
    },
  };
}
