export type { McpFakeBlock, McpFakeCall, McpFakeScope, McpFakeTool } from "../../src/fixtures/types.ts";
export type { ToolCall } from "../../src/journal/report.ts";
export { type McpHandle, mcp, type TestFakeBlock } from "../shared/handle.ts";
export type { McpFakesMatchers } from "../shared/matchers/types.ts";
export type { McpFakesOptions } from "../shared/options.ts";
export { withMcpFakes } from "./config.ts";
export { createMcpFakesEnvironment } from "./environment.ts";
