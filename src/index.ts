export {
  FixtureLoadError,
  MCP_FAKE_ERROR_CODES,
  type McpFakeErrorCode,
  McpFakesAddError,
  type McpFakeWarning,
} from "./errors.ts";
export { type FakesReport, formatFakesReport } from "./fakes/report.ts";
export type { McpFakeBlockSnapshot } from "./fakes/views.ts";
export type { BlockSource } from "./fixtures/block-sources.ts";
export type { McpFakeFault, McpRawReply, McpServerFault } from "./fixtures/fault-types.ts";
export type {
  LlmEmbeddingResponse,
  LlmErrorResponse,
  LlmFixture,
  LlmFixtureOptions,
  LlmMatch,
  LlmMessageResponse,
  LlmResponse,
  LlmToolCall,
  LlmUsage,
} from "./fixtures/llm-types.ts";
export {
  type LoadedServices,
  loadFixtureFile,
  loadFixtureFileWithServices,
  loadFixturesFromDir,
  loadFixturesFromDirWithServices,
} from "./fixtures/loaders.ts";
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
  McpFakeStep,
  McpFakeTool,
} from "./fixtures/types.ts";
export type { Exchange, Mount, Reply } from "./http/exchange.ts";
export { CallLog, CallLogError } from "./journal/call-log.ts";
export type { JournalEntry } from "./journal/entry.ts";
export type { ModelTurn } from "./journal/turns.ts";
export { LLMock } from "./llmock.ts";
export type { Logger } from "./logger.ts";
export type { McpAskOptions, McpCallContext, McpRequestView } from "./mcp/call/call-context.ts";
export type { McpElicitResult, McpRootsResult, McpSampleResult } from "./mcp/call/client-answers.ts";
export { MCPMock } from "./mcp/mcp-mock.ts";
export type { MCPMockOptions } from "./mcp/mock-options.ts";
export type { McpNotify } from "./mcp/notices.ts";
export type { LLMockOptions } from "./options.ts";
