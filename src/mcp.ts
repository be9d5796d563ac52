export { MCP_FAKE_ERROR_CODES, type McpFakeErrorCode, McpFakesAddError, type McpFakeWarning } from "./errors.ts";
export type { McpFakeBlockSnapshot } from "./fakes/views.ts";
export type { McpServerFault } from "./fixtures/fault-types.ts";
export type {
  McpFakeBlock,
  McpFakeCall,
  McpFakePrompt,
  McpFakePromptCall,
  McpFakePromptResult,
  McpFakeRead,
  McpFakeReadResult,
  McpFakeResource,
  McpFakeResult,
  McpFakeScope,
  McpFakeTool,
} from "./fixtures/types.ts";
export type { McpCallContext } from "./mcp/call/call-context.ts";
export { MCPMock } from "./mcp/mcp-mock.ts";
export type { MCPMockOptions } from "./mcp/mock-options.ts";
