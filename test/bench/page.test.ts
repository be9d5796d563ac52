import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withFigures } from "../../bench/page.ts";

test("new figures take the place of the old ones on a page", () => {
  const page =
    "# Speed\n\n<!-- figures: `npm run bench` writes what follows -->\n\nold\n\n<!-- end of figures -->\n\nThe end.\n";
  const rows = [
    { server: "bare", "calls/s": 20000 },
    { server: "ours", "calls/s": 18000 },
  ];
  expect(withFigures(page, "On one machine.", [{ title: "Calls", rows }])).toBe(`# Speed

<!-- figures: \`npm run bench\` writes what follows -->

On one machine.

### Calls

| server | calls/s |
| --- | --- |
| bare | 20000 |
| ours | 18000 |

<!-- end of figures -->

The end.
`);
});

test("a page without a place for figures is said to have none", () => {
  expect(() => withFigures("# Speed", "", [])).toThrow("The page has no place for figures");
});

test("docs/performance.md shows the figures of bench/results.json", () => {
  const { results } = JSON.parse(readFileSync("bench/results.json", "utf8"));
  const page = readFileSync("docs/performance.md", "utf8");
  for (const { title, rows } of results) {
    expect(page).toContain(`### ${title}`);
    for (const row of rows) expect(page).toContain(`| ${Object.values(row).join(" | ")} |`);
  }
});
