import OpenAI from "openai";

/** One request to the model, with what came before it. A refusal is kept to itself, as some agents do. */
export async function ask(messages: OpenAI.ChatCompletionMessageParam[]): Promise<OpenAI.ChatCompletionMessage | null> {
  const openai = new OpenAI({ apiKey: "test" }); // OPENAI_BASE_URL is set by the plugin
  const completion = await openai.chat.completions.create({ model: "gpt-4o", messages }).catch(() => null);
  return completion?.choices[0]?.message ?? null;
}

export const REFUND = { role: "user" as const, content: "I want a refund" };

/** Asks for a tool, answers with a ticket, asks again. */
export async function openTicket(ticket: string): Promise<string | null | undefined> {
  const said = await ask([REFUND]);
  if (said === null) return null;
  return (await ask([REFUND, said, { role: "tool", tool_call_id: "call_1", content: ticket }]))?.content;
}
