import { expect, test } from "vitest";
import { problemParagraphs } from "../../../plugins/shared/findings.ts";
import { LLMock } from "../../../src/index.ts";

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
