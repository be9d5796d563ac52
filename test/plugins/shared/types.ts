import { mcp } from "../../../plugins/shared/handle.ts";
import type { McpFakeCall } from "../../../src/index.ts";

/** Compiled, never run: what a user may write. */
export function right(calls: McpFakeCall[], known: readonly McpFakeCall[]): void {
  mcp.fake("search", { args: { query: "cats" }, result: { found: 2 } }, { anyArgs: true, error: "down" });
  mcp.fake("search", ...calls);
  mcp.fake("search", ...known, { partialArgs: {}, result: "none" });
  mcp.fake({ resource: "file:///readme.md" }, { result: "# Readme" });
  mcp.fake({ prompt: "summarize" }, { result: "Summarize: it" });
}

/** What must be an error, and where: on the line of the mistake, not at the target that it is written for. */
export function wrong(): void {
  mcp.fake("search", {
    // @ts-expect-error: there is no such key
    arg: {},
    result: "1",
  });
  mcp.fake("search", {
    args: {},
    // @ts-expect-error: a number is no result
    result: 1,
  });
  mcp.fake(
    { resource: "file:///readme.md" },
    {
      // @ts-expect-error: reads have no arguments
      args: {},
      result: "1",
    },
  );
  mcp.fake(
    { prompt: "summarize" },
    {
      // @ts-expect-error: the arguments of a prompt are an object
      args: 5,
      result: "1",
    },
  );
  // @ts-expect-error: this names nothing
  mcp.fake({ tool: "search" }, { anyArgs: true, result: "1" });
}
