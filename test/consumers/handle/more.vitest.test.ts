import { createRequire } from "node:module";
import { mcp } from "mcp-fakes/vitest";
import { expect, test } from "vitest";

test("a test that skips itself is not judged", async ({ skip }) => {
  await mcp.fake("search", { args: {}, result: "never used" });
  skip();
});

test("a CommonJS copy of the handle is in the same test", () => {
  const copy = createRequire(import.meta.url)("mcp-fakes/vitest").mcp;
  expect(copy).not.toBe(mcp);
  expect(copy.testId).toBe(mcp.testId);
  expect(copy.url).toBe(mcp.url);
});
