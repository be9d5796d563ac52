import type { JsonObject } from "../json.ts";
import { merged } from "./definition.ts";
import type { Block } from "./model.ts";
import { specificity } from "./scope.ts";
import type { TargetKind } from "./target.ts";

/**
 * What the blocks that apply to a request declare of one kind, as lists show it, in order of first declaration. Where
 * several declare a target, the first of the most specific scope describes it, and the others what it leaves unsaid.
 * `blocks` come in load order.
 */
export function listTargets(kind: TargetKind, blocks: readonly Block[]): Map<string, JsonObject> {
  const declared = new Map<string, { readonly rank: number; readonly definition: JsonObject }[]>();
  for (const block of blocks) {
    const rank = specificity(block.scope);
    for (const { kind: its, name, definition } of block.targets) {
      if (its !== kind) continue;
      const known = declared.get(name);
      if (known === undefined) declared.set(name, [{ rank, definition }]);
      else known.push({ rank, definition });
    }
  }
  return new Map(
    [...declared].map(([name, each]) => {
      const [first] = each;
      if (each.length > 1) each.sort((one, other) => one.rank - other.rank);
      return [name, merged(each.map(({ definition }) => definition)) ?? first?.definition ?? {}];
    }),
  );
}
