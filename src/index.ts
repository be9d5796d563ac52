export { FixtureLoadError } from "./errors.ts";
export type { FakesReport } from "./fakes/report.ts";
export { formatFakesReport } from "./fakes/report-text.ts";
export type { BlockSource } from "./fixtures/block-sources.ts";
export type { McpFakeFault, McpRawReply } from "./fixtures/fault-types.ts";
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
export type { McpFakeStep } from "./fixtures/types.ts";
export type { Exchange, Mount, Reply } from "./http/exchange.ts";
export { CallLog, CallLogError } from "./journal/call-log.ts";
export type { JournalEntry } from "./journal/entry.ts";
export type { ModelTurn } from "./journal/turns.ts";
export { LLMock } from "./llmock.ts";
export type { Logger } from "./logger.ts";
export type { McpAskOptions, McpRequestView } from "./mcp/call/call-context.ts";
export type { McpElicitResult, McpRootsResult, McpSampleResult } from "./mcp/call/client-answers.ts";
export type { McpNotify } from "./mcp/notices.ts";
export * from "./mcp.ts";
export type { LLMockOptions } from "./options.ts";
