import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalText, type Json, pathStep } from "../src/json.ts";

const json = () => fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

test("key order never matters", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json(), { noNullPrototype: true }), (object) => {
      const reversed = Object.fromEntries(Object.entries(object).reverse());
      expect(canonicalText(reversed)).toBe(canonicalText(object));
    }),
  );
});

test("array order always matters", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { minLength: 2 }), (array) => {
      expect(canonicalText([...array].reverse())).not.toBe(canonicalText(array));
    }),
  );
});

test("two values share a canonical text exactly when they are deeply equal", () => {
  fc.assert(
    fc.property(json(), json(), (one, other) => {
      expect(canonicalText(one) === canonicalText(other)).toBe(deepEqual(one, other));
    }),
    { numRuns: 500 },
  );
});

test.each([
  [1, 1.0, true],
  [0, -0, true],
  [JSON.parse("9007199254740993"), 9007199254740992, true],
  [1, "1", false],
  [0, false, false],
  [{ a: null }, {}, false],
  [{}, [], false],
  [{ "a,b": 1 }, { a: 1, b: 1 }, false],
])("%j and %j: equal is %s", (one: Json, other: Json, equal) => {
  expect(canonicalText(one) === canonicalText(other)).toBe(equal);
});

test("a path step is short for identifiers and quoted for other keys", () => {
  expect(["city", "$a_1", "a b", "", "1a", '"', 3].map(pathStep)).toEqual([
    ".city",
    ".$a_1",
    '["a b"]',
    '[""]',
    '["1a"]',
    '["\\""]',
    "[3]",
  ]);
});

/** The rules of argument matching, said the long way. */
function deepEqual(one: Json, other: Json): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [ones, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  if (ones.size !== others.size) return false;
  return [...ones].every(([key, value]) => others.has(key) && deepEqual(value, others.get(key) as Json));
}
