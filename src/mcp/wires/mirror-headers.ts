import type { Headers } from "../../http/exchange.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";

/**
 * The headers in which a request of 2026-07-28 repeats its body, so that proxies can route it (MCP, Transports, HTTP
 * headers). What differs, misses or does not decode is answered as a header mismatch.
 */

/** The parameter that `Mcp-Name` repeats, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/** What is wrong with `Mcp-Method` and `Mcp-Name`; `undefined` when nothing is. */
export function findNameMismatch(
  { method, params }: { readonly method: string; readonly params: Json | undefined },
  headers: Headers,
): string | undefined {
  if (headers["mcp-method"] === undefined) return "the Mcp-Method header is missing";
  const key = NAMED_BY[method];
  const name = key !== undefined && isJsonObject(params) ? params[key] : undefined;
  if (key === undefined || typeof name !== "string") return undefined;
  const header = headers["mcp-name"];
  if (header === undefined) return "the Mcp-Name header is missing";
  const decoded = decodeMirrored(header);
  if (decoded === undefined) return `the Mcp-Name header ${JSON.stringify(header)} is not valid Base64`;
  return decoded === name
    ? undefined
    : `the Mcp-Name header says ${JSON.stringify(decoded)}, params.${key} ${JSON.stringify(name)}`;
}

/** What is wrong with the `Mcp-Param-*` headers that a tool's schema asks for with `x-mcp-header`. */
export function findParamMismatch(schema: JsonObject, args: Json | undefined, headers: Headers): string | undefined {
  for (const { header, path, isNumber } of mirroredIn(schema)) {
    const value = valueAt(args, path);
    if (value === undefined || value === null) continue;
    const name = `Mcp-Param-${header}`;
    const given = headers[name.toLowerCase()];
    if (given === undefined)
      return `the ${name} header is missing, arguments.${path.join(".")} is ${JSON.stringify(value)}`;
    const decoded = decodeMirrored(given);
    if (decoded === undefined) return `the ${name} header ${JSON.stringify(given)} is not valid Base64`;
    const isSame = isNumber ? Number(decoded) === value : decoded === String(value);
    if (!isSame)
      return `the ${name} header says ${JSON.stringify(decoded)}, arguments.${path.join(".")} ${JSON.stringify(value)}`;
  }
  return undefined;
}

interface Mirrored {
  readonly header: string;
  readonly path: readonly string[];
  readonly isNumber: boolean;
}

const known = new WeakMap<JsonObject, readonly Mirrored[]>();

/** Only plain values count, and only those that `properties` alone lead to. */
function mirroredIn(schema: JsonObject): readonly Mirrored[] {
  const found = known.get(schema) ?? scan(schema, []);
  known.set(schema, found);
  return found;
}

function scan(schema: JsonObject, path: readonly string[]): Mirrored[] {
  if (!isJsonObject(schema.properties)) return [];
  return Object.entries(schema.properties).flatMap(([key, property]) => {
    if (!isJsonObject(property)) return [];
    const { "x-mcp-header": header, type } = property;
    const own = [...path, key];
    const isPlain = type === "string" || type === "integer" || type === "boolean";
    const mirrored = typeof header === "string" && isPlain ? [{ header, path: own, isNumber: type === "integer" }] : [];
    return [...mirrored, ...scan(property, own)];
  });
}

function valueAt(args: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((value, key) => (isJsonObject(value) ? value[key] : undefined), args);
}

const SENTINEL = /^=\?base64\?(.*)\?=$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A header's text; one that a header cannot carry comes as `=?base64?…?=`. `undefined` when that does not decode. */
function decodeMirrored(header: string): string | undefined {
  const text = header.trim();
  const wrapped = SENTINEL.exec(text)?.[1];
  if (wrapped === undefined) return text;
  return BASE64.test(wrapped) ? Buffer.from(wrapped, "base64").toString() : undefined;
}
