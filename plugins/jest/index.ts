import type { McpFakesMatchers } from "../shared/matchers/types.ts";

export type { McpFakeBlock, McpFakeCall, McpFakeScope, McpFakeTool } from "../../src/fixtures/types.ts";
export type { PromptUse, ResourceRead, ToolCall } from "../../src/journal/report.ts";
export { type McpHandle, mcp, type TestFakeBlock } from "../shared/handle.ts";
export type { McpFakesMatchers } from "../shared/matchers/types.ts";
export type { McpFakesOptions } from "../shared/options.ts";
export { withMcpFakes } from "./config.ts";
export { createMcpFakesEnvironment } from "./environment.ts";

// What `@jest/globals` and the package `expect` offer.
declare module "expect" {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends McpFakesMatchers {}
}

// What the global `expect` of `@types/jest` offers.
declare global {
  namespace jest {
    interface Matchers<R, T> extends McpFakesMatchers {}
  }
}
