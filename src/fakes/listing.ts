import type { JsonObject } from "../json.ts";
import type { Block, BlockTarget } from "./model.ts";
import { specificity } from "./scope.ts";
import type { TargetKind } from "./target.ts";

/**
 * What the blocks that apply to a request declare of one kind, as lists show it, in order of first declaration. Where
 * several declare a target, the first of the most specific scope describes it. `blocks` come in load order.
 */
export function listTargets(kind: TargetKind, blocks: readonly Block[]): Map<string, JsonObject> {
  const listed = new Map<string, { readonly rank: number; readonly target: BlockTarget }>();
  for (const block of blocks) {
    const rank = specificity(block.scope);
    for (const target of block.targets) {
      if (target.kind !== kind) continue;
      const known = listed.get(target.name);
      if (known === undefined || rank < known.rank) listed.set(target.name, { rank, target });
    }
  }
  return new Map([...listed].map(([name, { target }]) => [name, target.definition]));
}
