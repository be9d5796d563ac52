import { expect } from "@jest/globals";
import { mcp, withMcpFakes } from "../../../plugins/jest/index.ts";

/** Compiled, never run: what a user may write, and what is an error. */
export function usage(): void {
  withMcpFakes({ fixtures: "./fixtures" }, { testEnvironment: "jsdom" });
  expect(mcp).toHaveConsumedAllFakes();
  expect(mcp).not.toHaveCalledTool("search", { query: expect.any(String) });
  expect(mcp).toHaveCalledTools(["search", ["open", { id: 1 }]], { exactly: true });
  // @ts-expect-error: a tool has a name
  expect(mcp).toHaveCalledTool(5);
  // @ts-expect-error: how often is a number
  expect(mcp).toHaveCalledToolTimes("search", "twice");
  // @ts-expect-error: a number called no tool
  expect(42).toHaveCalledTool("search");
  // @ts-expect-error: nor did a URL, not even none
  expect(mcp.url).not.toHaveCalledTool("search");
  // @ts-expect-error: there is no such option
  withMcpFakes({ fixtres: "./fixtures" });
}
