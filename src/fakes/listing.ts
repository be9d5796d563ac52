import type { JsonObject } from "../json.ts";
import type { Block, BlockTool } from "./model.ts";
import { specificity } from "./scope.ts";

/** A tool as a request sees it in `tools/list`, from fakes alone. */
export type FakeToolListing = JsonObject & {
  name: string;
  inputSchema: JsonObject;
};

/**
 * The tools of the blocks that apply to a request, in order of first declaration. Where several declare a tool, the
 * first of the most specific scope describes it. `blocks` come in load order.
 */
export function listTools(blocks: readonly Block[]): FakeToolListing[] {
  const listed = new Map<string, { readonly rank: number; readonly tool: BlockTool }>();
  for (const block of blocks) {
    const rank = specificity(block.scope);
    for (const tool of block.tools) {
      const known = listed.get(tool.name);
      if (known === undefined || rank < known.rank) listed.set(tool.name, { rank, tool });
    }
  }
  return [...listed.values()].map(({ tool }) => ({
    name: tool.name,
    inputSchema: tool.inputSchema ?? { type: "object" },
    ...(tool.description === null ? {} : { description: tool.description }),
    ...tool.listed,
  }));
}
