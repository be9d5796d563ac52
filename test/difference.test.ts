import fc from "fast-check";
import { expect, test } from "vitest";
import { differenceCount, firstDifference } from "../src/difference.ts";
import { canonicalText, type Json } from "../src/json.ts";

test.each<[expected: Json, received: Json, difference: string | null]>([
  [{ city: "Seattle" }, { city: "Seattle" }, null],
  [{ city: "Seattle" }, { city: "seattle" }, '$.city: expected "Seattle", received "seattle"'],
  [{ city: "Seattle" }, {}, '$.city: expected "Seattle", received nothing (key missing)'],
  [{}, { city: "Seattle" }, '$.city: unexpected key, received "Seattle"'],
  [{ a: 1, b: 2 }, { c: 3, b: 0, a: 1 }, "$.b: expected 2, received 0"],
  [{ a: [1, 2] }, { a: [1, 2, 3] }, "$.a: expected an array of length 2, received length 3"],
  [{ a: [1, [2]] }, { a: [1, [3]] }, "$.a[1][0]: expected 2, received 3"],
  [{ a: [] }, { a: {} }, "$.a: expected an array, received {}"],
  [{ a: {} }, { a: [] }, "$.a: expected an object, received []"],
  [{ a: null }, { a: 0 }, "$.a: expected null, received 0"],
  [{ "first name": 1 }, { "first name": "1" }, '$["first name"]: expected 1, received "1"'],
  [{}, null, "$: expected an object, received null"],
])("%j against %j", (expected, received, difference) => {
  expect(firstDifference(expected, received)).toBe(difference);
});

test("a key that every object inherits counts as missing", () => {
  expect(firstDifference({ toString: 1 }, {})).toBe("$.toString: expected 1, received nothing (key missing)");
});

test("long values and long paths are cut", () => {
  const long = "x".repeat(500);
  expect(firstDifference({ a: long }, { a: 1 })).toBe(
    `$.a: expected "${"x".repeat(181)}… (320 more chars), received 1`,
  );
  const deep = firstDifference({ [`${long} `]: long }, { [`${long} `]: `${long}y` });
  expect(deep?.startsWith(`$["${"x".repeat(179)}… (`)).toBe(true);
  expect(deep?.length).toBeLessThanOrEqual(1000);
});

test("a count is zero exactly when there is no first difference", () => {
  const json = () => fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(json(), json(), (one, other) => {
      const equal = canonicalText(one) === canonicalText(other);
      expect(differenceCount(one, other) === 0).toBe(equal);
      expect(firstDifference(one, other) === null).toBe(equal);
      expect(differenceCount(one, other)).toBe(differenceCount(other, one));
    }),
    { numRuns: 500 },
  );
});

test("keys and items of one side count one each", () => {
  expect(differenceCount({ a: 1, b: [1, 2, { c: 3 }] }, { a: 2, b: [1], d: {} })).toBe(4);
});
