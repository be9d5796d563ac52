import { describe, mcp, test } from "./runner.ts";

describe(`a suite that is named after a test: ${mcp.testId}`, () => {
  test("never runs", () => {});
});
