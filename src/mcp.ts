export { MCP_FAKE_ERROR_CODES, McpFakesAddError } from "./errors.ts";
export { MCPMock } from "./mcp/mcp-mock.ts";
