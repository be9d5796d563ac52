import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAULTS, SERVER_FAULTS } from "../../src/fakes/fault.ts";
import { MCPMock } from "../../src/index.ts";
import { proxyProblems } from "../../src/upstream/proxy.ts";

const PAGE = readFileSync("docs/faults.md", "utf8");

test("docs/faults.md has a row for every fault, in the order of the table that code reads", () => {
  const rows = PAGE.split("| fault | what")[1]?.split("\n\n")[0]?.split("\n").slice(2) ?? [];
  const words = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, word]) => word));
  expect(words.sort()).toEqual([...FAULTS, ...SERVER_FAULTS].sort());
});

const [entry, block, proxy] = [...PAGE.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text = ""]) =>
  JSON.parse(text),
);

test("docs/faults.md shows an entry and a block that can be loaded", () => {
  const mcp = new MCPMock();
  mcp.loadFakes({ scope: "shared", tools: [{ name: "create_ticket", calls: [entry] }] });
  expect(mcp.loadFakes(block)).toEqual({ warnings: [] });
});

test("docs/faults.md shows what a proxy file takes in place of faults, which it refuses", () => {
  expect(proxyProblems(proxy, "proxy.json")).toEqual([]);
  const faulty = {
    ...proxy,
    faults: block.faults,
    overrides: { search: { default: { text: "", fault: "http-503" } } },
  };
  expect(proxyProblems(faulty, "proxy.json").map(({ path, text }) => [path, text])).toEqual([
    [["overrides", "search", "default", "fault"], expect.stringMatching(/^unknown key/)],
    [["faults"], expect.stringMatching(/^unknown key/)],
  ]);
});
