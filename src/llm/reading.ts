import { isJsonObject, type Json, type JsonObject } from "../json.ts";

/** The objects of a JSON list; anything else in it, or instead of it, is left out. */
export function objectsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** An object, or an empty one for anything else. */
export function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

/** A string, or `null` for anything else. */
export function textOf(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

/** The text of a content that is a string or a list of parts: the parts' `text`s, joined. */
export function contentText(content: Json | undefined): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .map((part) => textOf(part.text) ?? "")
    .join("");
}

/** The non-empty strings that `read` finds. */
export function namesOf(items: readonly JsonObject[], read: (item: JsonObject) => Json | undefined): string[] {
  return items.flatMap((item) => textOf(read(item)) ?? []);
}
