import type { FixtureLoadError, McpFakeWarning } from "../../errors.ts";
import type { Block } from "../../fakes/model.ts";
import { createBlockNames, type NamedSource } from "../../fixtures/block-names.ts";
import { groupByMount } from "../../fixtures/block-sources.ts";
import { declaredBreaches, NOTHING_MET } from "../../fixtures/declared.ts";
import { nothingLoaded, readBlocks } from "../../fixtures/mcp-fakes.ts";
import type { FixtureFile } from "../../fixtures/read.ts";

/** The blocks of fixture files, as a server without any others would read them. */
export interface FileBlocks {
  readonly read: readonly FileBlock[];
  /** Those of a mount with errors are left out. */
  readonly blocks: readonly Block[];
  readonly errors: readonly FixtureLoadError[];
}

/** One block and its file: files of different folders may share a name, and blocks of different mounts an id. */
export interface FileBlock {
  readonly file: FixtureFile;
  readonly source: NamedSource;
  /** `null` when a block of its mount has errors. */
  readonly block: Block | null;
  readonly errors: readonly FixtureLoadError[];
  readonly warnings: readonly McpFakeWarning[];
}

export function readFileBlocks(files: readonly FixtureFile[]): FileBlocks {
  const fileOf = new Map(files.flatMap((file) => file.mcpFakes.map((source) => [source, file] as const)));
  const read = [...groupByMount([...fileOf.keys()], "file").values()].flatMap((group) => {
    const { named } = createBlockNames().name(group, "file");
    const { read, blocks, errors } = readBlocks(named, nothingLoaded());
    const breaches = declaredBreaches(blocks, NOTHING_MET);
    return group.flatMap((given, index): FileBlock[] => {
      const [file, source, each] = [fileOf.get(given), named[index], read[index]];
      if (file === undefined || source === undefined || each === undefined) return [];
      const { problems, block, warnings } = each;
      const own = [...problems.errors, ...breaches.filter(({ blockId }) => blockId === source.blockId)];
      const isSound = errors.length === 0 && breaches.length === 0;
      return [{ file, source, block: isSound ? block : null, errors: own, warnings }];
    });
  });
  return {
    read,
    blocks: read.flatMap(({ block }) => block ?? []),
    errors: read.flatMap(({ errors }) => errors),
  };
}
