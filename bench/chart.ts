/** One bar of a chart. */
export interface Bar {
  readonly label: string;
  readonly value: number;
}

const WIDTH = 720;
const LABELS = 250;
const ROW = 26;

/** A picture in a page knows nothing of the page's colours, only whether its reader likes them dark. */
const STYLE = "text { fill: #24292f } @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } }";

/** A bar chart as SVG, longest bar at full width, readable on light and dark pages. */
export function chartOf(title: string, bars: readonly Bar[]): string {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const rows = bars.map(({ label, value }, index) => {
    const y = 34 + index * ROW;
    const width = Math.round(((WIDTH - LABELS - 90) * value) / most);
    return [
      `  <text x="${LABELS - 8}" y="${y + 14}" text-anchor="end">${inXml(label)}</text>`,
      `  <rect x="${LABELS}" y="${y}" width="${width}" height="18" rx="3" fill="#4c78a8"/>`,
      `  <text x="${LABELS + width + 6}" y="${y + 14}">${Math.round(value).toLocaleString("en")}</text>`,
    ].join("\n");
  });
  const height = 44 + bars.length * ROW;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13" role="img" aria-label="${inXml(title)}">
  <style>${STYLE}</style>
  <text x="${LABELS}" y="20" font-weight="bold">${inXml(title)}</text>
${rows.join("\n")}
</svg>
`;
}

function inXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
