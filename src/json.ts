/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  [key: string]: Json;
}

/**
 * An object that code writes where JSON is meant, as loose as the language allows: values of interfaces, which have no
 * index signature, and `as const` with its read-only arrays. That JSON can carry it is checked when it is used.
 *
 * @example const weather: JsonObjectLike = { tempF: 60, hours: [9, 10] as const };
 */
export type JsonObjectLike = { readonly [key: string]: unknown } | (object & { readonly [Symbol.iterator]?: never });

/** The deepest nesting that is read from anyone: the outermost array or object is level 1. */
export const MAX_JSON_LEVELS = 64;

/** Whether a JSON value is an object (not an array, not `null`). */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A text that two JSON values share exactly when they are equal: key order is of no account, array order is,
 * numbers are equal as doubles (`1` = `1.0`, `0` = `-0`), nothing is converted.
 *
 * @example canonicalText({ b: 1, a: [2] }) === canonicalText({ a: [2], b: 1.0 })
 */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  // Every faked call comes through here: one text grows, instead of a list of texts that is joined.
  let text = "";
  for (const key of Object.keys(value).sort()) {
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalText(value[key] ?? null)}`;
  }
  return `{${text}}`;
}

/** One step of a path into a JSON value: `.city`, `["a b"]` or `[0]`. */
export function pathStep(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return /^[A-Za-z_$][A-Za-z0-9_$]{0,199}$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
