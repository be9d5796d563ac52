import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { ChatOpenAI } from "@langchain/openai";
import type { RunAgent } from "./agent.ts";

/** LangChain, over Chat Completions. */
export const runAgent: RunAgent = async ({ mcpUrl, task, maxTurns = 10 }) => {
  const mcp = new MultiServerMCPClient({ tools: { transport: "http", url: mcpUrl } });
  const agent = createReactAgent({ llm: new ChatOpenAI({ model: "gpt-4o" }), tools: await mcp.getTools() });
  try {
    // Each turn is two steps of the graph: the model's and the tools'.
    const { messages } = await agent.invoke({ messages: [["user", task]] }, { recursionLimit: 2 * maxTurns });
    return String(messages.at(-1)?.content);
  } catch {
    return "gave up"; // the recursion limit
  } finally {
    await mcp.close();
  }
};
