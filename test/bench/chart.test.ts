import { expect, test } from "vitest";
import { chartOf } from "../../bench/chart.ts";

test("the chart draws each bar to the longest, with its number", () => {
  const svg = chartOf('calls "per" second', [
    { label: "bare", value: 20_000 },
    { label: "ours & theirs", value: 10_000 },
  ]);
  expect(svg).toContain("prefers-color-scheme: dark");
  expect([...svg.matchAll(/width="(\d+)" height="18"/g)].map(([, width]) => Number(width))).toEqual([380, 190]);
  expect([...svg.matchAll(/>([^<>\n]+)<\/text>/g)].map(([, text]) => text)).toEqual([
    "calls &quot;per&quot; second",
    "bare",
    "20,000",
    "ours &amp; theirs",
    "10,000",
  ]);
});
