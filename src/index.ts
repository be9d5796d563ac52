export { FixtureLoadError, MCP_FAKE_ERROR_CODES, McpFakesAddError } from "./errors.ts";
export { LLMock } from "./llmock.ts";
export { MCPMock } from "./mcp/mcp-mock.ts";
