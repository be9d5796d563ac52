import { type LLMock, MCPMock } from "mcp-fakes";

/** Runs beside the server. */
export default function mocks(llm: LLMock): void {
  const mock = new MCPMock();
  mock.addTool({ name: "search", inputSchema: { type: "object" } });
  mock.onToolCall("search", ({ query }) => `Results for ${query}`);
  mock.addResource({ uri: "file:///readme.md", name: "Read me" }, { text: "# Hello" });
  mock.addPrompt({ name: "summarize", arguments: [{ name: "text" }] });
  llm.mount("/mcp", mock);
}
