import type { Json, JsonObject } from "../json.ts";
import type { Answer, AnswerBlock, Usage } from "./answer.ts";
import type { Codec, Decoded, ModelRequest } from "./codec.ts";
import { openAiError } from "./openai-error.ts";
import { responseEvents } from "./openai-responses-events.ts";
import { contentText, namesOf, objectOf, objectsOf, textOf } from "./reading.ts";
import type { TurnMessage } from "./turn.ts";

/**
 * OpenAI Responses: `POST /v1/responses`, with `previous_response_id` and item references.
 * Held to the `openai` client.
 */
export const openAiResponses: Codec = {
  provider: "openai-responses",
  idPrefix: { answer: "resp_", toolCall: "call_" },

  decode(request): Decoded {
    const { body } = request;
    const said = readInput(request);
    if (!said.ok) return said;
    const instructions = textOf(body.instructions);
    return {
      ok: true,
      turn: {
        endpoint: "chat",
        model: textOf(body.model) ?? "",
        messages: [
          ...(instructions === null ? [] : [{ role: "system" as const, text: instructions }]),
          ...mergeAssistant(said.messages),
        ],
        tools: namesOf(objectsOf(body.tools), (tool) => tool.name),
        responseFormat: textOf(objectOf(objectOf(body.text).format).type),
        inputs: [],
        stream: body.stream === true,
      },
    };
  },

  encode: (answer, { body }) => responseOf(answer, body),

  events: (answer, { body }, chunkSize) =>
    responseEvents({ response: responseOf(answer, body), items: outputItems(answer), chunkSize }),

  memories(answer, turn, { body }) {
    if (body.store === false) return [];
    const items = outputItems(answer).map((item) => ({ id: textOf(item.id) ?? "", messages: itemMessages(item) }));
    const conversation = turn.messages.filter((message) => message.role !== "system");
    return [...items, { id: answer.id, messages: [...conversation, ...items.flatMap(({ messages }) => messages)] }];
  },

  error: openAiError,
};

type Reading =
  | { readonly ok: true; readonly messages: TurnMessage[] }
  | { readonly ok: false; readonly reason: string };

/** The conversation: what an earlier response is remembered for, then the input's own items. */
function readInput({ body, recall }: ModelRequest): Reading {
  const { input } = body;
  if (typeof input !== "string" && !Array.isArray(input))
    return { ok: false, reason: "'input' must be a string or an array" };
  const messages: TurnMessage[] = [];
  const previous = textOf(body.previous_response_id);
  if (previous !== null) {
    const known = recall(previous);
    if (known === undefined) return { ok: false, reason: `Previous response with id '${previous}' not found.` };
    messages.push(...known);
  }
  if (typeof input === "string") return { ok: true, messages: [...messages, { role: "user", text: input }] };
  for (const item of objectsOf(input)) {
    const id = textOf(item.id) ?? "";
    const said = item.type === "item_reference" ? recall(id) : itemMessages(item);
    if (said === undefined) return { ok: false, reason: `Item with id '${id}' not found.` };
    messages.push(...said);
  }
  return { ok: true, messages };
}

/** What one item says; items that say nothing (reasoning) are none. */
function itemMessages(item: JsonObject): TurnMessage[] {
  switch (item.type) {
    case "function_call":
    case "custom_tool_call": {
      const text = textOf(item.arguments ?? item.input) ?? "";
      const call = { id: textOf(item.call_id), name: textOf(item.name) ?? "", arguments: text };
      return [{ role: "assistant", text: "", toolCalls: [call] }];
    }
    case "function_call_output":
    case "custom_tool_call_output":
      return [{ role: "tool", text: contentText(item.output), toolCallId: textOf(item.call_id) }];
    case "message":
    case undefined:
      return [message(item.role, contentText(item.content))];
    default:
      return [];
  }
}

function message(role: Json | undefined, text: string): TurnMessage {
  if (role === "assistant") return { role, text, toolCalls: [] };
  return { role: role === "system" || role === "developer" ? "system" : "user", text };
}

/** One turn of the model is several items here and one message everywhere else. */
function mergeAssistant(messages: readonly TurnMessage[]): TurnMessage[] {
  const merged: TurnMessage[] = [];
  for (const each of messages) {
    const last = merged.at(-1);
    if (last?.role === "assistant" && each.role === "assistant") {
      merged[merged.length - 1] = {
        role: "assistant",
        text: last.text + each.text,
        toolCalls: [...last.toolCalls, ...each.toolCalls],
      };
    } else merged.push(each);
  }
  return merged;
}

function responseOf(answer: Answer, body: JsonObject): JsonObject {
  const stopped = INCOMPLETE_REASONS[answer.finishReason];
  return {
    id: answer.id,
    object: "response",
    created_at: answer.created,
    status: stopped === undefined ? "completed" : "incomplete",
    background: false,
    error: null,
    incomplete_details: stopped === undefined ? null : { reason: stopped },
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    model: answer.model,
    output: outputItems(answer),
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: body.reasoning ?? { effort: null, summary: null },
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: body.text ?? { format: { type: "text" } },
    tool_choice: body.tool_choice ?? "auto",
    tools: body.tools ?? [],
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? "disabled",
    usage: usageOf(answer.usage),
    user: body.user ?? null,
  };
}

/** From OpenAI's chat words. */
const INCOMPLETE_REASONS: Readonly<Record<string, string>> = {
  length: "max_output_tokens",
  content_filter: "content_filter",
};

function outputItems(answer: Answer): JsonObject[] {
  const suffix = answer.id.replace(/^resp[_-]/, "");
  const reasoning =
    answer.reasoning === null
      ? []
      : [{ id: `rs_${suffix}`, type: "reasoning", summary: [{ type: "summary_text", text: answer.reasoning }] }];
  return [
    ...reasoning,
    ...answer.blocks.map((block, index) => outputItem(block, { id: `${suffix}_${index}`, answer })),
  ];
}

function outputItem(block: AnswerBlock, { id, answer }: { id: string; answer: Answer }): JsonObject {
  if (block.type === "toolCall") {
    return {
      id: `fc_${id}`,
      type: "function_call",
      status: "completed",
      call_id: block.id,
      name: block.name,
      arguments: block.arguments,
    };
  }
  return {
    id: `msg_${id}`,
    type: "message",
    status: INCOMPLETE_REASONS[answer.finishReason] === undefined ? "completed" : "incomplete",
    role: answer.role,
    content: [{ type: "output_text", text: block.text, annotations: [], logprobs: [] }],
  };
}

function usageOf({ input, output, total, cached, reasoning }: Usage): JsonObject {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached ?? 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
    total_tokens: total,
  };
}
