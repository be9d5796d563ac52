import { createMCPClient } from "@ai-sdk/mcp";
import { openai } from "@ai-sdk/openai";
import { generateText, stepCountIs } from "ai";
import type { RunAgent } from "./agent.ts";

/** The AI SDK, over OpenAI's Responses API. */
export const runAgent: RunAgent = async ({ mcpUrl, task, maxTurns = 10 }) => {
  const mcp = await createMCPClient({ transport: { type: "http", url: mcpUrl } });
  const { text } = await generateText({
    model: openai("gpt-4o"),
    tools: await mcp.tools(),
    stopWhen: stepCountIs(maxTurns),
    prompt: task,
  });
  await mcp.close();
  return text;
};
