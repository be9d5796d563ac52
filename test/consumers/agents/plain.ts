import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import OpenAI from "openai";
import type { RunAgent } from "./agent.ts";

/** A loop over the model's client and the MCP SDK. */
export const runAgent: RunAgent = async ({ mcpUrl, task, maxTurns = 10 }) => {
  const mcp = new Client({ name: "plain", version: "1.0.0" });
  await mcp.connect(new StreamableHTTPClientTransport(new URL(mcpUrl)));
  const openai = new OpenAI();
  const { tools } = await mcp.listTools();
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: task }];

  for (let turn = 0; turn < maxTurns; turn++) {
    const { choices } = await openai.chat.completions.create({
      model: "gpt-4o",
      messages,
      tools: tools.map(({ name, description = "", inputSchema }) => ({
        type: "function",
        function: { name, description, parameters: inputSchema },
      })),
    });
    const said = choices[0]?.message;
    if (said?.tool_calls === undefined) return said?.content ?? "";
    messages.push(said);
    for (const call of said.tool_calls) {
      if (call.type !== "function") continue;
      const { name, arguments: args } = call.function;
      const { content } = await mcp.callTool({ name, arguments: JSON.parse(args) });
      messages.push({ role: "tool", tool_call_id: call.id, content: JSON.stringify(content) });
    }
  }
  await mcp.close();
  return "gave up";
};
