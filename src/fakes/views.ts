import type { McpFakeScope } from "../fixtures/types.ts";
import type { JsonObject } from "../json.ts";
import type { Block, Entry, EntryMatch } from "./model.ts";
import { type Tier, tierOf } from "./scope.ts";

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
}

/** An entry as the control API shows it. */
type McpFakeEntrySnapshot = { id: string } & MatchMember & { consumed: boolean };

/** An entry that was declared and not used. */
export type UnconsumedEntry = { entryId: string; mount: string; tool: string } & MatchMember & {
    tier: Tier;
    optional: boolean;
    source: string;
  };

type MatchMember = { args: JsonObject } | { anyArgs: true };

/** Blocks with the state that one test id has left them in. */
export function snapshotOf(
  blocks: readonly Block[],
  state: { isUsed: (entry: Entry) => boolean; evicted: boolean },
): McpFakeBlockSnapshot[] {
  return blocks.map((block) => ({
    blockId: block.id,
    source: block.source,
    mount: block.mount,
    scope: block.scope,
    undeclaredTools: block.undeclaredTools,
    evicted: state.evicted,
    tools: block.tools.map(({ name, entries }) => ({
      name,
      entries: entries.map((entry) => ({
        id: entry.id,
        ...matchMember(entry.match),
        consumed: state.isUsed(entry),
      })),
    })),
  }));
}

/** The entries of blocks that one test id has not used, in load order. `mount` is the path they are served at. */
export function unconsumedOf(
  blocks: readonly Block[],
  { isUsed, mount }: { isUsed: (entry: Entry) => boolean; mount: string },
): UnconsumedEntry[] {
  return blocks.flatMap((block) => {
    const unused = block.tools.flatMap(({ entries }) => entries.filter((entry) => !isUsed(entry)));
    return unused.map((entry) => ({
      entryId: entry.id,
      mount,
      tool: entry.tool,
      ...matchMember(entry.match),
      tier: tierOf(block.scope),
      optional: entry.optional,
      source: block.source,
    }));
  });
}

function matchMember(match: EntryMatch): MatchMember {
  return match.kind === "args" ? { args: match.args } : { anyArgs: true };
}
