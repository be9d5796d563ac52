import { showPath } from "../../files/explain.ts";
import { KINDS } from "../../fixtures/block.ts";
import type { NamedSource } from "../../fixtures/block-names.ts";
import type { TargetRules } from "../../fixtures/target.ts";
import { TOOLS } from "../../fixtures/tool.ts";
import { isJsonObject, type Json } from "../../json.ts";

type Path = readonly (string | number)[];

/** Where an entry of this block stands in its file; for an entry that is not found, the file's root. */
export function entryPath(source: NamedSource, entryId: string): Path {
  const found = pathsOf(source).find(([id]) => id === entryId);
  return found === undefined ? [] : found[1];
}

/** The path from its file's root to a block. */
export function blockPath({ blockIndex, dialect }: NamedSource): Path {
  if (dialect === "mock") return [];
  return blockIndex === null ? ["mcpFakes"] : ["mcpFakes", blockIndex];
}

/** A member of a value that came from a file, whatever it is. */
export function memberOf(value: unknown, key: string): Json | undefined {
  return isJsonObject(value as Json) ? (value as Record<string, Json>)[key] : undefined; // parsed from JSON
}

// --- internal ---

function pathsOf(source: NamedSource): (readonly [string, Path])[] {
  const kinds = source.dialect === "mock" ? [TOOLS] : KINDS;
  return kinds.flatMap((rules) =>
    items(source.raw, rules.list).flatMap((target, index) => {
      const path = [...blockPath(source), rules.list, index];
      const named = source.dialect === "mock" ? answersOf(target) : entriesOf(target, rules);
      return named.map(({ local, below }) => [`${source.blockId}:${local}`, [...path, ...below]] as const);
    }),
  );
}

interface NamedEntry {
  /** The entry's id without its block's. */
  readonly local: string;
  readonly below: Path;
}

/** An entry of the second dialect is named by its tool and where it stands below it. */
function answersOf(tool: Json): NamedEntry[] {
  return ["responses", "sequence"].flatMap((key) =>
    items(tool, key).map((_, index) => ({
      local: showPath([nameOf(tool, "name"), key, index]).replace(/^\$\.?/, ""),
      below: [key, index],
    })),
  );
}

function entriesOf(target: Json, { nameKey, entriesKey, idPrefix }: TargetRules): NamedEntry[] {
  return items(target, entriesKey).map((entry, index) => {
    const own = memberOf(entry, "id");
    const local = typeof own === "string" && own !== "" ? own : `${idPrefix}${nameOf(target, nameKey)}#${index}`;
    return { local, below: [entriesKey, index] };
  });
}

function nameOf(target: Json, key: string): string {
  return String(memberOf(target, key));
}

function items(value: unknown, key: string): readonly Json[] {
  const list = memberOf(value, key);
  return Array.isArray(list) ? list : [];
}
