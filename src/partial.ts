import { differences } from "./difference.ts";
import type { Json } from "./json.ts";

/**
 * Whether every key that `part` gives is in `whole` with an equal value; nested objects may be given in part too,
 * arrays only whole. Source: scripting sheet, 1.
 *
 * @example isPartOf({ base: "main" }, { base: "main", draft: false }) // true
 */
export function isPartOf(part: Json, whole: Json): boolean {
  return differences(part, whole, { partial: true }).next().done === true;
}
