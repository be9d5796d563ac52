import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const DOCS = readdirSync("docs", { encoding: "utf8", recursive: true }).filter((path) => path.endsWith(".md"));
const PAGES = ["README.md", ...DOCS.map((path) => join("docs", path))];

/** The anchors of a page's headings, as hosts of repositories make them. */
function anchorsOf(page: string): string[] {
  const headings = readFileSync(page, "utf8").matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, text = ""]) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

test.each(PAGES)("the links of %s lead to files and headings that are there", (page) => {
  const links = readFileSync(page, "utf8").matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g);
  const broken = [...links].filter(([, path = "", anchor]) => {
    const target = path === "" ? page : join(dirname(page), path);
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});
