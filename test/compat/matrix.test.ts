import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { NODE_LINES, RUNNER_LINES } from "./matrix.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const MANIFEST = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** The oldest release of a runner that is shown to work. */
function oldest(runner: string): string | undefined {
  const [first] = RUNNER_LINES.filter((line) => line.runner === runner);
  return first?.packages[0]?.replace(`${runner}@`, "");
}

test("the README's table of supported versions is the one that is tested", () => {
  const rows = RUNNER_LINES.map(({ name, nodes }) => [
    name,
    ...NODE_LINES.map((node) => (nodes.includes(node) ? "✓" : "")),
  ]);
  const head = ["", ...NODE_LINES.map((node) => `Node ${node}`)];
  const table = [head, head.map(() => "---"), ...rows];
  expect(readFileSync(join(ROOT, "README.md"), "utf8")).toContain(
    table.map((cells) => `| ${cells.join(" | ")} |`).join("\n"),
  );
});

test("the package's peers begin with the oldest releases that are tested", () => {
  expect(MANIFEST.peerDependencies).toEqual({ jest: `>=${oldest("jest")}`, vitest: `>=${oldest("vitest")}` });
});
