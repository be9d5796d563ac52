import type { MatchersOn } from "./matchers-on.ts";

export type { McpFakeBlock, McpFakeCall, McpFakeScope, McpFakeTool } from "../../src/fixtures/types.ts";
export type { PromptUse, ResourceRead, ToolCall } from "../../src/journal/report.ts";
export { type McpHandle, mcp, type TestFakeBlock } from "../shared/handle.ts";
export type { McpFakesMatchers } from "../shared/matchers/types.ts";
export type { McpFakesOptions } from "../shared/options.ts";
export { withMcpFakes } from "./config.ts";
export { createMcpFakesEnvironment } from "./environment.ts";

// What `@jest/globals` offers. By this name alone: jest-dom uses it, and where the package `expect` is named too, one of
// the two loses its matchers.
declare module "@jest/expect" {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends MatchersOn<R, T> {}
}

// What the global `expect` of `@types/jest` offers.
declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: as @types/jest has it; declarations of one interface must be equal
    interface Matchers<R, T = {}> extends MatchersOn<R, T> {}
  }
}
