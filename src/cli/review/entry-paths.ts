import { showPath } from "../../files/explain.ts";
import type { NamedSource } from "../../fixtures/block-names.ts";
import { isJsonObject, type Json } from "../../json.ts";

type Path = readonly (string | number)[];

/** Where an entry of these blocks stands in its file; for an entry that is not found, the file's root. */
export function entryPaths(sources: readonly NamedSource[]): (entryId: string) => Path {
  const paths = new Map(sources.flatMap(pathsOf));
  return (entryId) => paths.get(entryId) ?? [];
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
  return items(source.raw, "tools").flatMap((tool, index) => {
    const path = [...blockPath(source), "tools", index];
    const named = source.dialect === "mock" ? answersOf(tool) : callsOf(tool);
    return named.map(({ local, below }) => [`${source.blockId}:${local}`, [...path, ...below]] as const);
  });
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
      local: showPath([nameOf(tool), key, index]).replace(/^\$\.?/, ""),
      below: [key, index],
    })),
  );
}

function callsOf(tool: Json): NamedEntry[] {
  return items(tool, "calls").map((call, index) => {
    const own = memberOf(call, "id");
    const local = typeof own === "string" && own !== "" ? own : `${nameOf(tool)}#${index}`;
    return { local, below: ["calls", index] };
  });
}

function nameOf(tool: Json): string {
  return String(memberOf(tool, "name"));
}

function items(value: unknown, key: string): readonly Json[] {
  const list = memberOf(value, key);
  return Array.isArray(list) ? list : [];
}
