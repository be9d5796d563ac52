import type { FixtureLoadError, McpFakeWarning } from "../../errors.ts";
import type { Block } from "../../fakes/model.ts";
import { createBlockNames, type NamedSource } from "../../fixtures/block-names.ts";
import { groupByMount } from "../../fixtures/block-sources.ts";
import { nothingLoaded, readBlocks } from "../../fixtures/mcp-fakes.ts";
import type { FixtureFile } from "../../fixtures/read.ts";

/** The blocks of fixture files, as a server without any others would read them. */
export interface FileBlocks {
  readonly sources: readonly NamedSource[];
  /** Those of a mount with errors are left out. */
  readonly blocks: readonly Block[];
  readonly errors: readonly FixtureLoadError[];
  readonly warnings: readonly McpFakeWarning[];
}

export function readFileBlocks(files: readonly FixtureFile[]): FileBlocks {
  const sources = files.flatMap(({ mcpFakes }) => mcpFakes);
  const read = [...groupByMount(sources, "file").values()].map((group) => {
    const { named } = createBlockNames().name(group, "file");
    return { named, ...readBlocks(named, nothingLoaded()) };
  });
  return {
    sources: read.flatMap(({ named }) => named),
    blocks: read.flatMap(({ blocks }) => blocks),
    errors: read.flatMap(({ errors }) => errors),
    warnings: read.flatMap(({ warnings }) => warnings),
  };
}
