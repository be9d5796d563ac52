import { EmptyResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { connect } from "./agent.ts";
import { mcp, test } from "./runner.ts";

/** An agent that looks at no answer. */
async function post(url: string, value: unknown): Promise<void> {
  await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(value) });
}

test("an agent that sends what is no request", async () => {
  const client = await connect(mcp.url);
  await client.request({ method: "tools/call", params: {} }, EmptyResultSchema).catch(() => {});
  await client.close();
  await post(`${mcp.llm.openai}/chat/completions`, { model: "gpt-4o" });
  await post(`${mcp.llm.anthropic}/v1/messages`, { model: "claude" });
  await post(mcp.urlOf("/nope"), {});
});
