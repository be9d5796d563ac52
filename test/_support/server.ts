import { onTestFinished } from "vitest";
import { LLMock, MCPMock } from "../../src/index.ts";
import type { LLMockOptions } from "../../src/options.ts";

/** A running server that stops when the test ends. */
export async function startServer(
  options: LLMockOptions = {},
  prepare: (llm: LLMock) => void = () => {},
): Promise<{ llm: LLMock; url: string }> {
  const llm = new LLMock({ logLevel: "silent", ...options });
  prepare(llm);
  const url = await llm.start();
  onTestFinished(() => llm.stop());
  return { llm, url };
}

/** A running server with one mock at `/mcp`. */
export async function startMock(
  options: LLMockOptions = {},
): Promise<{ llm: LLMock; mcp: MCPMock; url: string; mcpUrl: string }> {
  const mcp = new MCPMock();
  const { llm, url } = await startServer(options, (server) => server.mount("/mcp", mcp));
  return { llm, mcp, url, mcpUrl: `${url}/mcp` };
}
