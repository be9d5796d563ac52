import { expect, test } from "vitest";
import { problemParagraphs } from "../../../plugins/shared/findings.ts";
import { formatFakesReport } from "../../../src/fakes/report-text.ts";
import { LLMock } from "../../../src/index.ts";
import { connect } from "../../_support/mcp.ts";
import { startMock } from "../../_support/server.ts";

test("of very many unused fakes, the first 20 are listed", () => {
  const llm = new LLMock({ logLevel: "silent" });
  const unconsumed = Array.from({ length: 60 }, (_, index) => ({
    ...{ entryId: `a.json:search#${index}`, mount: "/mcp", tool: "search", file: "a.json" },
    args: { page: index },
  }));
  const report = { ...llm.fakesReport("a.test.ts › works"), unconsumed };
  const [paragraph = ""] = problemParagraphs({ report, facts: () => [], placeOf: () => null });
  const lines = paragraph.split("\n");
  expect(lines.slice(0, 3)).toEqual([
    "60 unused fakes:",
    "  id                arguments    file",
    '  a.json:search#0   {"page":0}   a.json',
  ]);
  expect(lines).toHaveLength(23);
  expect(lines.at(-1)).toBe("  … and 40 more");
});

test("unused fakes are shown with what they take, and with their uses where they must be used more than once", async () => {
  const { llm, mcp, mcpUrl } = await startMock();
  const calls = [
    { id: "part", partialArgs: { city: "Oslo" }, times: { min: 2, max: 5 }, result: "1" },
    { id: "match", argsMatch: { city: "^Se" }, state: "late", result: "2" },
    { id: "any", anyArgs: true as const, result: "3" },
  ];
  const tools = [{ name: "search", calls }];
  mcp.loadFakes({ scope: { testId: "T" }, tools });
  const client = await connect(mcpUrl, { headers: { "x-test-id": "T" } });
  await client.call("search", { city: "Oslo", page: 1 });
  const report = llm.fakesReport("T");
  expect(problemParagraphs({ report, facts: () => [], placeOf: () => null })).toEqual([
    [
      "3 unused fakes:",
      "  id            arguments                                    uses         file",
      '  code#1:part   {"partialArgs":{"city":"Oslo"}}              used 1 of 2  code#1',
      '  code#1:match  {"argsMatch":{"city":"^Se"},"state":"late"}  used 0 of 1  code#1',
      "  code#1:any    any                                          used 0 of 1  code#1",
    ].join("\n"),
  ]);
  expect(formatFakesReport(report).split("\n").slice(1)).toEqual([
    "  unconsumed: code#1:part (/mcp search): used 1 of 2",
    "  unconsumed: code#1:match (/mcp search)",
    "  unconsumed: code#1:any (/mcp search)",
  ]);
});
