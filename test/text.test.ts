import { expect, test } from "vitest";
import { cut, quote, reasonText, showJson, showName, showPlain } from "../src/text.ts";

test("a text within the limit is shown whole", () => {
  expect(cut("a".repeat(200))).toBe("a".repeat(200));
});

test("a longer text is cut to the limit, count included", () => {
  const shown = cut("a".repeat(300));
  expect(shown).toBe(`${"a".repeat(182)}… (118 more chars)`);
  expect(shown).toHaveLength(200);
});

test("a limit without room for the count leaves the ellipsis", () => {
  expect(cut("a".repeat(20), 10)).toBe("…");
});

test("a surrogate pair is never cut in two", () => {
  expect(cut(`${"a".repeat(22)}😀${"b".repeat(30)}`, 40)).toBe(`${"a".repeat(22)}… (32 more chars)`);
  expect(cut(`${"a".repeat(21)}😀${"b".repeat(30)}`, 40)).toBe(`${"a".repeat(21)}😀… (30 more chars)`);
});

test("a JSON escape is never cut in two", () => {
  expect(cut(`${"a".repeat(20)}\\u0000${"b".repeat(30)}`, 40)).toBe(`${"a".repeat(20)}… (36 more chars)`);
  expect(cut(`${"a".repeat(22)}\\\\${"b".repeat(30)}`, 40)).toBe(`${"a".repeat(22)}… (32 more chars)`);
});

test("names and values stay on one line", () => {
  expect(quote("a\n\u007f\u0085\u2028\u2029b")).toBe('"a\\n\\u007f\\u0085\\u2028\\u2029b"');
  expect(showPlain("a\nb\u2028")).toBe("a\\u000ab\\u2028");
  expect(showName("weather › seattle")).toBe('"weather › seattle"');
  expect(showJson({ a: ["\u2028", 1, null] })).toBe('{"a":["\\u2028",1,null]}');
});

test("a reason is what was thrown with what caused it, repetitions left out", () => {
  const refused = new Error("connect ECONNREFUSED 127.0.0.1:80");
  const failed = new TypeError("fetch failed", { cause: refused });
  expect(reasonText(failed)).toBe("fetch failed: connect ECONNREFUSED 127.0.0.1:80");
  expect(reasonText(new Error("probe: fetch failed", { cause: failed }))).toBe(reasonText(failed));
  const each = Object.assign(new AggregateError([refused], ""), { code: "ECONNREFUSED" });
  expect(reasonText(new TypeError("fetch failed", { cause: each }))).toBe("fetch failed: ECONNREFUSED");
  expect(reasonText("no error")).toBe("no error");
});
