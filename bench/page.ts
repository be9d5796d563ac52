/** What one part of the bench measured. */
export interface Figures {
  readonly title: string;
  readonly rows: readonly object[];
}

const BEGIN = "<!-- figures: `npm run bench` writes what follows -->";
const END = "<!-- end of figures -->";

/** A page with new figures in place of its old ones. Throws when the page has no place for them. */
export function withFigures(page: string, intro: string, results: readonly Figures[]): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin)
    throw new Error(`The page has no place for figures: put ${BEGIN} and ${END} into it`);
  const parts = results.map(({ title, rows }) => `### ${title}\n\n${tableOf(rows)}`);
  return `${page.slice(0, begin)}${[BEGIN, intro, ...parts, END].join("\n\n")}${page.slice(end + END.length)}`;
}

function tableOf(rows: readonly object[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [columns, columns.map(() => "---"), ...rows.map((row) => Object.values(row).map(String))];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
