import { expect, test } from "vitest";
import { compilePattern } from "../src/pattern.ts";

test("a pattern is JavaScript's own, look-behind and all", () => {
  expect(search("(?<=v)\\d+\\b(?!-)", "v12")).toBe(true);
  expect(search("^(a|b)\\1$", "aa")).toBe(true);
});

test("a pattern that would search for ever is ended, and searches after it are none the worse", () => {
  expect(() => search("^(a+)+$", `${"a".repeat(50)}!`)).toThrow(
    "the pattern /^(a+)+$/ took more than 1000 ms on a text of 51 characters",
  );
  expect(search("^(a+)+$", "aaa")).toBe(true);
});

test("a pattern that does not compile says why", () => {
  expect(compilePattern("(?i)(")).toEqual({
    ok: false,
    problem: "Invalid regular expression: /(/i: Unterminated group",
  });
});

function search(source: string, text: string): boolean {
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new Error(compiled.problem);
  return compiled.pattern.test(text);
}
