import { isJsonObject, type Json, type JsonObject, pathStep } from "./json.ts";
import { cut, escapeControls, showJson } from "./text.ts";

const DIFFERENCE_CHARS = 1000;

/** How a received value differs from an expected one, in one place. */
export interface Difference {
  readonly kind: "missing-key" | "extra-key" | "wrong-type" | "wrong-value";
  /** `$.city: expected "Seattle", received "seattle"` */
  readonly text: string;
}

/** Which differences count. */
export interface DifferenceOptions {
  /** Keys that are not expected are of no account, at any depth; arrays are compared whole. */
  readonly partial?: boolean;
}

/**
 * The first place where a received value is not the expected one, in words, or `null` when they are equal.
 * Source: the fakes sheet, section 5.2.
 *
 * @example firstDifference({ city: "Seattle" }, { city: "seattle" }) // '$.city: expected "Seattle", received "seattle"'
 */
export function firstDifference(expected: Json, received: Json): string | null {
  const [first] = differences(expected, received);
  return first === undefined ? null : cut(first.text, DIFFERENCE_CHARS);
}

/** Every place where a received value is not the expected one; nothing when they are equal. */
export function differences(
  expected: Json,
  received: Json,
  { partial = false }: DifferenceOptions = {},
): Generator<Difference> {
  return walk({ expected, received, path: "$", partial });
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

interface Step<Expected extends Json = Json> {
  readonly expected: Expected;
  readonly received: Json;
  readonly path: string;
  readonly partial: boolean;
}

function* walk({ expected, ...step }: Step): Generator<Difference> {
  if (Array.isArray(expected)) yield* walkArray({ ...step, expected });
  else if (isJsonObject(expected)) yield* walkObject({ ...step, expected });
  else if (expected !== step.received) {
    const kind = typeOf(expected) === typeOf(step.received) ? "wrong-value" : "wrong-type";
    yield { kind, text: at(step.path, `expected ${showJson(expected)}, received ${showJson(step.received)}`) };
  }
}

function* walkArray({ expected, received, path }: Step<Json[]>): Generator<Difference> {
  if (!Array.isArray(received)) {
    yield { kind: "wrong-type", text: at(path, `expected an array, received ${showJson(received)}`) };
    return;
  }
  if (expected.length !== received.length) {
    const text = at(path, `expected an array of length ${expected.length}, received length ${received.length}`);
    yield { kind: "wrong-value", text };
    return;
  }
  for (const [index, item] of expected.entries()) {
    yield* walk({
      expected: item,
      received: received[index] ?? null,
      path: path + pathStep(index),
      partial: false,
    });
  }
}

function* walkObject({ expected, received, path, partial }: Step<JsonObject>): Generator<Difference> {
  if (!isJsonObject(received)) {
    yield { kind: "wrong-type", text: at(path, `expected an object, received ${showJson(received)}`) };
    return;
  }
  for (const [key, value] of Object.entries(expected)) {
    const other = own(received, key);
    const keyPath = path + pathStep(key);
    if (other !== undefined) yield* walk({ expected: value, received: other, path: keyPath, partial });
    else {
      const text = at(keyPath, `expected ${showJson(value)}, received nothing (key missing)`);
      yield { kind: "missing-key", text };
    }
  }
  if (partial) return;
  for (const [key, value] of Object.entries(received)) {
    if (Object.hasOwn(expected, key)) continue;
    yield { kind: "extra-key", text: at(path + pathStep(key), `unexpected key, received ${showJson(value)}`) };
  }
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function at(path: string, what: string): string {
  return `${cut(escapeControls(path))}: ${what}`;
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function memberDifference(expected: Json | undefined, received: Json | undefined): number {
  return expected === undefined || received === undefined ? 1 : differenceCount(expected, received);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
