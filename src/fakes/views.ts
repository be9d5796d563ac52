import type { McpFakeScope } from "../fixtures/types.ts";
import { isConsumed } from "./claim.ts";
import { declaredMatch } from "./match.ts";
import type { Block, Entry } from "./model.ts";
import type { DeclaredMatch } from "./outcome.ts";
import { entriesOf } from "./reload.ts";
import { type Tier, tierOf } from "./scope.ts";
import { keyOf, type TargetKey, type TargetKind } from "./target.ts";

/** A block as the control API shows it: which entries there are and which are used, not what they answer. */
export interface McpFakeBlockSnapshot {
  blockId: string;
  /** The file's name, or `code#1`, `control-api#1`. */
  source: string;
  /** The block's own value, which may differ from the path it is served at. */
  mount: string;
  scope: McpFakeScope;
  undeclaredTools: "allow" | "deny";
  evicted: boolean;
  tools: { name: string; entries: McpFakeEntrySnapshot[] }[];
  /** Only of a block that declares some. */
  resources?: { uri: string; entries: McpFakeEntrySnapshot[] }[];
  /** Only of a block that declares some. */
  prompts?: { name: string; entries: McpFakeEntrySnapshot[] }[];
}

/** An entry as the control API shows it. */
type McpFakeEntrySnapshot = { id: string } & DeclaredMatch & { consumed: boolean };

/** An entry that was declared and not used, or not so often as it must be. */
export type UnconsumedEntry = { entryId: string; mount: string } & TargetKey &
  DeclaredMatch &
  UseCount & { tier: Tier; optional: boolean; source: string };

/** How often an entry was used and must be; left out of one that must be used once. */
export interface UseCount {
  used?: number;
  min?: number;
}

/** An entry, and how often it answered since it was loaded, over all tests and attempts. */
export interface EntryUsage {
  readonly entryId: string;
  readonly mount: string;
  /** The fixture file that declares it; `null` for one that code added. */
  readonly file: string | null;
  readonly scope: McpFakeScope;
  readonly optional: boolean;
  readonly uses: number;
}

/** Blocks with the state that one test id has left them in. */
export function snapshotOf(
  blocks: readonly Block[],
  { isConsumed, evicted }: { isConsumed: (entry: Entry) => boolean; evicted: boolean },
): McpFakeBlockSnapshot[] {
  const entryView = (entry: Entry) => ({
    id: entry.id,
    ...declaredMatch(entry.match),
    consumed: isConsumed(entry),
  });
  return blocks.map((block) => {
    const targets = (kind: TargetKind) =>
      block.targets
        .filter((target) => target.kind === kind)
        .map(({ name, entries }) => ({ name, entries: entries.map(entryView) }));
    const resources = targets("resource").map(({ name: uri, entries }) => ({ uri, entries }));
    const prompts = targets("prompt");
    return {
      blockId: block.id,
      source: block.source,
      mount: block.mount,
      scope: block.scope,
      undeclaredTools: block.undeclaredTools,
      evicted,
      tools: targets("tool"),
      ...(resources.length > 0 && { resources }),
      ...(prompts.length > 0 && { prompts }),
    };
  });
}

/** The entries of blocks that one test id has not used, in load order. `mount` is the path they are served at. */
export function unconsumedOf(
  blocks: readonly Block[],
  { timesUsed, mount }: { timesUsed: (entry: Entry) => number; mount: string },
): UnconsumedEntry[] {
  return blocks.flatMap((block) => {
    const unused = entriesOf(block).filter((entry) => !isConsumed(entry, timesUsed(entry)));
    return unused.map((entry) => ({
      entryId: entry.id,
      mount,
      ...keyOf(entry.target),
      ...declaredMatch(entry.match),
      ...(entry.uses.min > 1 && { used: timesUsed(entry), min: entry.uses.min }),
      tier: tierOf(block.scope),
      optional: entry.uses.min === 0,
      source: block.source,
    }));
  });
}

/** The entries of blocks, and how often each answered. */
export function usesOf(
  blocks: Iterable<Block>,
  { mount, isFile, uses }: { mount: string; isFile: (block: Block) => boolean; uses: (entry: Entry) => number },
): EntryUsage[] {
  return [...blocks].flatMap((block) =>
    entriesOf(block).map((entry) => ({
      entryId: entry.id,
      mount,
      file: isFile(block) ? block.source : null,
      scope: block.scope,
      optional: entry.uses.min === 0,
      uses: uses(entry),
    })),
  );
}
