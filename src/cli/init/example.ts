import { isJsonObject, type Json, type JsonObject } from "../../json.ts";

/** Deep enough for any example that a person would read; schemas may refer to themselves. */
const LEVELS_MAX = 6;

/**
 * A value that a JSON Schema describes, to start from: its own example where it has one, else the plainest of its type.
 *
 * @example exampleOf({ type: "object", properties: { city: { type: "string" } }, required: ["city"] }) // { city: "text" }
 */
export function exampleOf(schema: JsonObject): JsonObject {
  const example = plainValue(schema, { root: schema, level: 0 });
  return isJsonObject(example) ? example : {};
}

// --- internal ---

interface Place {
  readonly root: JsonObject;
  readonly level: number;
}

function plainValue(given: Json | undefined, { root, level }: Place): Json {
  const schema = resolve(given, root);
  if (!isJsonObject(schema) || level > LEVELS_MAX) return {};
  const below = { root, level: level + 1 };
  for (const own of [schema.const, schema.default]) if (own !== undefined) return own;
  for (const list of [schema.examples, schema.enum]) if (Array.isArray(list) && list[0] !== undefined) return list[0];
  for (const forms of [schema.oneOf, schema.anyOf, schema.allOf]) {
    if (Array.isArray(forms) && forms[0] !== undefined) return plainValue(forms[0], below);
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "string":
      return "text";
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 0;
    case "boolean":
      return false;
    case "null":
      return null;
    case "array":
      return schema.minItems === undefined || schema.minItems === 0 ? [] : [plainValue(schema.items, below)];
    default:
      return membersOf(schema, below);
  }
}

/** Only what must be there: a scenario says more where it matters. */
function membersOf({ properties, required }: JsonObject, place: Place): JsonObject {
  if (!isJsonObject(properties)) return {};
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  return Object.fromEntries(names.map((name) => [name, plainValue(properties[name], place)]));
}

/** Follows a reference within the document, once. */
function resolve(schema: Json | undefined, root: JsonObject): Json | undefined {
  const reference = isJsonObject(schema) ? schema.$ref : undefined;
  if (typeof reference !== "string" || !reference.startsWith("#/")) return schema;
  return reference
    .slice(2)
    .split("/")
    .reduce<Json | undefined>((value, step) => (isJsonObject(value) ? value[step] : undefined), root);
}
