import { type Json, MAX_JSON_LEVELS } from "./json.ts";
import type { Limits } from "./limits.ts";

export type ParsedJson =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly reason: ParseProblem };

/** `syntax`: not JSON. `depth` and `proto`: JSON, but of a shape that nobody sends in good faith. */
export type ParseProblem =
  | { readonly kind: "syntax"; readonly text: string }
  | { readonly kind: "depth"; readonly text: string }
  | { readonly kind: "proto"; readonly text: string };

/** Parses JSON text from outside; says what is wrong instead of throwing. */
export function parseJson(text: string): ParsedJson {
  // A text this short cannot open and close more than MAX_JSON_LEVELS levels.
  if (text.length > 2 * MAX_JSON_LEVELS && depthOf(text) > MAX_JSON_LEVELS) {
    return refused("depth", `nested deeper than ${MAX_JSON_LEVELS} levels`);
  }
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refused("syntax", error instanceof Error ? error.message : String(error));
  }
  const path = text.includes("__proto__") || text.includes("\\u") ? findProto(value, "$") : undefined;
  return path === undefined ? { ok: true, value } : refused("proto", `the key "__proto__" at ${path} is refused`);
}

/** Parses the body of a request; one that nests too deep is counted. */
export function parseBody(text: string, limits: Pick<Limits, "hit">): ParsedJson {
  const parsed = parseJson(text);
  if (!parsed.ok && parsed.reason.kind === "depth") limits.hit("depth");
  return parsed;
}

function refused(kind: ParseProblem["kind"], text: string): ParsedJson {
  return { ok: false, reason: { kind, text } };
}

/** What files of ours may have: the levels of their formats, and of a value in them. Deeper ones would end in a stack overflow. */
const FILE_LEVELS = 2 * MAX_JSON_LEVELS;

/** What is wrong with the nesting of a file's text; `null` when nothing is. */
export function nestingProblem(text: string): string | null {
  return depthOf(text) > FILE_LEVELS ? `is nested deeper than ${FILE_LEVELS} levels` : null;
}

/** Deepest nesting of brackets outside strings; right for any valid JSON text. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) i = endOfString(text, i);
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x7d || code === 0x5d) depth--;
  }
  return deepest;
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x5c) i++;
    else if (code === 0x22) return i;
  }
  return text.length;
}

function findProto(value: Json, path: string): string | undefined {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = findProto(item, `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (value === null || typeof value !== "object") return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (key === "__proto__") return path;
    const found = findProto(item, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
