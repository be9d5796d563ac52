import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LIMITS, type Limit } from "../../src/limits.ts";

const ROWS = readFileSync("docs/security.md", "utf8")
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()));

/** The limits that users set by an option of another name. */
const OPTIONS: Readonly<Record<string, string>> = { testIds: "fixtureCountsMax", journalRecords: "journalMax" };

const KIB = 1024;

function shown({ max, unit }: Limit): string {
  switch (unit) {
    case "bytes":
    case "chars":
      return max < KIB * KIB ? `${max / KIB} KiB` : `${max / KIB / KIB} MiB`;
    case "ms":
      return `${max / 1000} s`;
    case "levels":
      return `${max} levels`;
    case "count":
      return max.toLocaleString("en");
  }
}

test.each(Object.entries(LIMITS))(
  "the page on security tells the limit %s, its default and its status",
  (name, limit) => {
    const [, , taken = "", effect = ""] = ROWS.find(([, what]) => what?.includes(`\`${OPTIONS[name] ?? name}\``)) ?? [];
    expect(taken).toContain(shown(limit));
    // What is answered 200 is told by its code.
    expect(effect).toContain(limit.status === 200 ? "MCP_FAKE_EVICTED" : String(limit.status ?? ""));
  },
);
