import { isJsonObject, type Json, pathStep } from "./json.ts";
import { cut, escapeControls, showJson } from "./text.ts";

const DIFFERENCE_CHARS = 1000;

/**
 * The first place where a received value is not the expected one, in words, or `null` when they are equal.
 * Source: the fakes sheet, section 5.2.
 *
 * @example firstDifference({ city: "Seattle" }, { city: "seattle" }) // '$.city: expected "Seattle", received "seattle"'
 */
export function firstDifference(expected: Json, received: Json): string | null {
  const difference = walk(expected, received, "$");
  return difference === null ? null : cut(difference, DIFFERENCE_CHARS);
}

/** In how many places two values differ; a key or item that only one side has is one place. */
export function differenceCount(expected: Json, received: Json): number {
  if (Array.isArray(expected) && Array.isArray(received)) {
    const length = Math.max(expected.length, received.length);
    return sum(Array.from({ length }, (_, index) => memberDifference(expected[index], received[index])));
  }
  if (isJsonObject(expected) && isJsonObject(received)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(received)]);
    return sum([...keys].map((key) => memberDifference(own(expected, key), own(received, key))));
  }
  return expected === received ? 0 : 1;
}

function walk(expected: Json, received: Json, path: string): string | null {
  if (Array.isArray(expected)) return walkArray(expected, received, path);
  if (isJsonObject(expected)) return walkObject(expected, received, path);
  return expected === received ? null : at(path, `expected ${showJson(expected)}, received ${showJson(received)}`);
}

function walkArray(expected: Json[], received: Json, path: string): string | null {
  if (!Array.isArray(received)) return at(path, `expected an array, received ${showJson(received)}`);
  if (expected.length !== received.length) {
    return at(path, `expected an array of length ${expected.length}, received length ${received.length}`);
  }
  for (const [index, item] of expected.entries()) {
    const difference = walk(item, received[index] ?? null, path + pathStep(index));
    if (difference !== null) return difference;
  }
  return null;
}

function walkObject(expected: { [key: string]: Json }, received: Json, path: string): string | null {
  if (!isJsonObject(received)) return at(path, `expected an object, received ${showJson(received)}`);
  for (const [key, value] of Object.entries(expected)) {
    const other = own(received, key);
    const keyPath = path + pathStep(key);
    if (other === undefined) return at(keyPath, `expected ${showJson(value)}, received nothing (key missing)`);
    const difference = walk(value, other, keyPath);
    if (difference !== null) return difference;
  }
  const extra = Object.entries(received).find(([key]) => !Object.hasOwn(expected, key));
  return extra === undefined ? null : at(path + pathStep(extra[0]), `unexpected key, received ${showJson(extra[1])}`);
}

function at(path: string, what: string): string {
  return `${cut(escapeControls(path))}: ${what}`;
}

function own(object: { [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function memberDifference(expected: Json | undefined, received: Json | undefined): number {
  return expected === undefined || received === undefined ? 1 : differenceCount(expected, received);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
