import { limitsArguments } from "../fixtures/served.ts";
import type { JsonObject } from "../json.ts";

/**
 * A definition with what it does not say itself filled in from another one of the same target. An input schema that takes
 * every object says nothing. It is `own` itself when nothing is filled in.
 */
export function filledFrom(own: JsonObject, other: JsonObject): JsonObject {
  let filled = own;
  for (const key of Object.keys(other)) {
    const isSaid = key === "inputSchema" ? limitsArguments(own) || !limitsArguments(other) : own[key] !== undefined;
    if (!isSaid) filled = { ...filled, [key]: other[key] ?? null };
  }
  return filled;
}

/** One definition of several, those that count more before those that count less. */
export function merged(definitions: readonly (JsonObject | undefined)[]): JsonObject | undefined {
  let whole: JsonObject | undefined;
  for (const each of definitions) {
    if (each !== undefined) whole = whole === undefined ? each : filledFrom(whole, each);
  }
  return whole;
}

/** Whether a tool's schemas say anything. */
export function promisesAnything(tool: JsonObject): boolean {
  return tool.outputSchema !== undefined || limitsArguments(tool);
}
