import { isJsonObject, type Json } from "../json.ts";
import { valueAt } from "./conditions.ts";
import type { EntryAnswer } from "./model.ts";

/** With a backslash before it, a place stands for itself. */
const PLACE = /(\\?)(\{\{\s*args\.([^{}]+?)\s*\}\})/g;

/** Whether some string of an answer holds `{{args.path}}`. */
export function isTemplate(answer: EntryAnswer): boolean {
  return JSON.stringify(answer).search(PLACE) !== -1;
}

/**
 * A value whose strings hold the call's arguments where they said `{{args.path}}`; what is no string is put in as
 * JSON, and a place after a backslash stands for itself. Throws an `Error` that names a path which the arguments do
 * not have. Source: scripting sheet, 1.
 *
 * @example fillTemplate("Hello {{args.name}}", { name: "Ada" }) // "Hello Ada"
 */
export function fillTemplate<T extends Json>(value: T, args: Json): T {
  return mapTexts(value, (text) =>
    text.replaceAll(PLACE, (_all, backslash: string, place: string, path: string) =>
      backslash === "" ? textAt(args, path, place) : place,
    ),
  );
}

/** What {@link fillTemplate} makes this value of: each place in it stands for itself. */
export function escapeTemplate<T extends Json>(value: T): T {
  return mapTexts(value, (text) => text.replaceAll(PLACE, "\\$&"));
}

/** An entry's answer, filled in from the call. Throws as {@link fillTemplate} does. */
export function fillAnswer(answer: EntryAnswer, args: Json): EntryAnswer {
  switch (answer.kind) {
    case "result": {
      const result = fillTemplate(answer.result, args);
      return { kind: "result", result, text: JSON.stringify(result) };
    }
    case "protocol-error": {
      const { code, message, data } = answer.error;
      const filled = { code, message: fillTemplate(message, args) };
      return {
        kind: "protocol-error",
        error: data === undefined ? filled : { ...filled, data: fillTemplate(data, args) },
      };
    }
    case "never":
      return answer;
  }
}

function textAt(args: Json, path: string, place: string): string {
  const value = valueAt(args, path);
  if (value === undefined) throw new Error(`the answer asks for ${place}, but the call has no argument at "${path}"`);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function mapTexts<T extends Json>(value: T, change: (text: string) => string): T;
function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapTexts(member, change)]));
}
