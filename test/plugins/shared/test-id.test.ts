import fc from "fast-check";
import { expect, test } from "vitest";
import { testIds } from "../../../plugins/shared/test-id.ts";

test("file and names are joined, and equal names are numbered in file order", () => {
  const tests = [
    ["tickets", "retries"],
    ["tickets", "fails"],
    ["tickets", "retries"],
    ["tickets", "retries"],
  ];
  expect(testIds("src/a.test.ts", tests)).toEqual([
    "src/a.test.ts › tickets › retries",
    "src/a.test.ts › tickets › fails",
    "src/a.test.ts › tickets › retries (2)",
    "src/a.test.ts › tickets › retries (3)",
  ]);
});

test("names that are joined alike are alike", () => {
  expect(testIds("a", [["x › y"], ["x", "y"]])).toEqual(["a › x › y", "a › x › y (2)"]);
});

test("a number that another test's name spells is passed over", () => {
  expect(testIds("a", [["x"], ["x"], ["x (2)"], ["x"]])).toEqual(["a › x", "a › x (3)", "a › x (2)", "a › x (4)"]);
});

test("no two tests of a file ever share an id, and every id can be sent in a header", () => {
  const name = fc.oneof(fc.constantFrom("a", "a (2)", "a › b", "b"), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(fc.array(fc.array(name, { minLength: 1, maxLength: 3 })), (tests) => {
      const ids = testIds("file", tests);
      expect(new Set(ids).size).toBe(tests.length);
      for (const id of ids) expect(decodeURIComponent(encodeURIComponent(id))).toBe(id);
    }),
  );
});
