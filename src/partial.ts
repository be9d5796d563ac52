import { canonicalText, isJsonObject, type Json } from "./json.ts";

/**
 * Whether every key that `part` gives is in `whole` with an equal value; nested objects may be given in part too,
 * arrays only whole. Source: scripting sheet, 1.
 *
 * @example isPartOf({ base: "main" }, { base: "main", draft: false }) // true
 */
export function isPartOf(part: Json, whole: Json): boolean {
  if (!isJsonObject(part) || !isJsonObject(whole)) return canonicalText(part) === canonicalText(whole);
  return Object.entries(part).every(([key, value]) => {
    const other = Object.hasOwn(whole, key) ? whole[key] : undefined;
    return other !== undefined && isPartOf(value, other);
  });
}
