import { Agent, MCPServerStreamableHttp, run, setTracingDisabled } from "@openai/agents";
import type { RunAgent } from "./agent.ts";

setTracingDisabled(true);

/** OpenAI's Agents SDK, streaming from the Responses API. */
export const runAgent: RunAgent = async ({ mcpUrl, task, maxTurns = 10 }) => {
  const mcp = new MCPServerStreamableHttp({ url: mcpUrl, name: "tools" });
  await mcp.connect();
  const agent = new Agent({ name: "agent", model: "gpt-4o", mcpServers: [mcp] });
  try {
    const result = await run(agent, task, { stream: true, maxTurns });
    await result.completed;
    return String(result.finalOutput);
  } catch {
    return "gave up"; // too many turns
  } finally {
    await mcp.close();
  }
};
