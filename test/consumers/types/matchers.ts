import { LLMock, MCPMock } from "mcp-fakes";
import { expect, mcp } from "./runner.ts";

/** Compiled, never run: what a user may write. */
export async function right(): Promise<void> {
  expect(mcp).toHaveConsumedAllFakes();
  expect(mcp).not.toHaveNoFakeFailures();
  expect(mcp).toHaveCalledTool("search", { query: expect.any(String) });
  expect(mcp).toHaveCalledToolTimes("search", 2);
  expect(mcp).toHaveCalledTools(["search", ["search", { query: "cats" }]], { exactly: true });
  expect(mcp).toHaveSentToModel(/cats/);
  expect(new MCPMock()).toHaveCalledTool("search", {}, { testId: "a" });
  expect(new LLMock()).not.toHaveListedTools();
  expect(mcp.report()).toHaveNoFakeFailures();
  expect(JSON.parse("{}")).toHaveReadResource("file:///readme.md");
  await expect(Promise.resolve(mcp.report())).resolves.toHaveConsumedAllFakes();
  await expect(Promise.resolve(mcp.report())).resolves.not.toHaveCalledTool("search");
  const subject = Math.random() > 0.5 ? mcp : new MCPMock();
  expect(subject).toHaveUsedPrompt("summarize");
}

/** What must be an error: wrong arguments, and matchers on what they are not for. */
export function wrong(unknown: unknown): void {
  // @ts-expect-error: there is no such matcher
  expect(mcp).toHaveCalledTol("search");
  // @ts-expect-error: a tool has a name
  expect(mcp).toHaveCalledTool(5);
  // @ts-expect-error: how often is missing
  expect(mcp).toHaveCalledToolTimes("search");
  // @ts-expect-error: how often is a number
  expect(mcp).toHaveCalledToolTimes("search", "twice");
  // @ts-expect-error: there is no such option
  expect(mcp).toHaveCalledTools(["search"], { exact: true });
  // @ts-expect-error: a number called no tool
  expect(42).toHaveCalledTool("search");
  // @ts-expect-error: nor did it not
  expect(42).not.toHaveCalledTool("search");
  // @ts-expect-error: the URL is not the handle
  expect(mcp.url).toHaveListedTools();
  // @ts-expect-error: nor are its calls
  expect(mcp.calls).toHaveCalledToolTimes("search", 1);
  // @ts-expect-error: the class is not the mock
  expect(MCPMock).toHaveConsumedAllFakes();
  // @ts-expect-error: a promise is to be awaited first
  expect(Promise.resolve(mcp.report())).toHaveConsumedAllFakes();
  // @ts-expect-error: nobody knows what this is
  expect(unknown).toHaveConsumedAllFakes();
  // @ts-expect-error: nothing called no tool
  expect(null).toHaveNoFakeFailures();
}
