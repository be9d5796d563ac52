import type { Json, JsonObject } from "../json.ts";
import { type Answer, type AnswerBlock, chunksOf, type Usage } from "./answer.ts";
import type { Codec, Decoded, StreamEvent } from "./codec.ts";
import { openAiError } from "./openai-error.ts";
import { contentText, namesOf, objectOf, objectsOf, textOf } from "./reading.ts";
import type { TurnMessage } from "./turn.ts";

/** OpenAI Chat Completions: `POST /v1/chat/completions`. Held to the `openai` client. */
export const openAiChat: Codec = {
  provider: "openai-chat",
  idPrefix: { answer: "chatcmpl-", toolCall: "call_" },

  decode({ body, model }): Decoded {
    if (!Array.isArray(body.messages)) return { ok: false, reason: "'messages' must be an array" };
    return {
      ok: true,
      turn: {
        endpoint: "chat",
        model: textOf(body.model) ?? model ?? "",
        messages: objectsOf(body.messages).map(toMessage),
        tools: namesOf(objectsOf(body.tools), (tool) => objectOf(tool.function ?? tool.custom).name),
        responseFormat: textOf(objectOf(body.response_format).type),
        inputs: [],
        stream: body.stream === true,
      },
    };
  },

  encode: (answer) => ({
    ...envelope(answer, "chat.completion"),
    choices: [
      {
        index: 0,
        message: {
          role: answer.role,
          content: textOfBlocks(answer.blocks),
          refusal: null,
          ...(answer.reasoning !== null && { reasoning_content: answer.reasoning }),
          ...toolCalls(answer.blocks),
        },
        logprobs: null,
        finish_reason: answer.finishReason,
      },
    ],
    usage: usageOf(answer.usage),
  }),

  events(answer, { body }, chunkSize) {
    const withUsage = objectOf(body.stream_options).include_usage === true;
    const chunk = (choices: Json[], usage: Json): StreamEvent => ({
      data: JSON.stringify({ ...envelope(answer, "chat.completion.chunk"), choices, ...(withUsage && { usage }) }),
    });
    const choice = (delta: JsonObject, finish: string | null): Json => ({
      index: 0,
      delta,
      logprobs: null,
      finish_reason: finish,
    });
    return [
      ...deltas(answer, chunkSize).map((delta) => chunk([choice(delta, null)], null)),
      chunk([choice({}, answer.finishReason)], null),
      ...(withUsage ? [chunk([], usageOf(answer.usage))] : []),
      { data: "[DONE]", paced: false },
    ];
  },

  error: openAiError,
};

function toMessage(message: JsonObject): TurnMessage {
  const text = contentText(message.content);
  switch (message.role) {
    case "system":
    case "developer":
      return { role: "system", text };
    case "assistant":
      return {
        role: "assistant",
        text,
        toolCalls: objectsOf(message.tool_calls).map((call) => {
          const { name, arguments: args, input } = objectOf(call.function ?? call.custom);
          return { id: textOf(call.id), name: textOf(name) ?? "", arguments: textOf(args ?? input) ?? "" };
        }),
      };
    case "tool":
    case "function":
      return { role: "tool", text, toolCallId: textOf(message.tool_call_id ?? message.name) };
    default:
      return { role: "user", text };
  }
}

function envelope({ id, created, model, systemFingerprint }: Answer, object: string): JsonObject {
  return { id, object, created, model, ...(systemFingerprint !== null && { system_fingerprint: systemFingerprint }) };
}

/** `null` when the answer is tool calls alone, as the provider says it. */
function textOfBlocks(blocks: readonly AnswerBlock[]): string | null {
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return texts.length === 0 ? null : texts.join("");
}

function toolCalls(blocks: readonly AnswerBlock[]): JsonObject {
  const calls = blocks.flatMap((block) =>
    block.type === "toolCall"
      ? [{ id: block.id, type: "function", function: { name: block.name, arguments: block.arguments } }]
      : [],
  );
  return calls.length === 0 ? {} : { tool_calls: calls };
}

/** What each chunk adds: the role, the reasoning, then the blocks in their order. */
function deltas({ role, reasoning, blocks }: Answer, chunkSize: number): JsonObject[] {
  const saysText = textOfBlocks(blocks) !== null;
  let tools = 0;
  return [
    { role, content: saysText ? "" : null },
    ...chunksOf(reasoning ?? "", chunkSize).map((piece) => ({ reasoning_content: piece })),
    ...blocks.flatMap((block): JsonObject[] => {
      if (block.type === "text") return chunksOf(block.text, chunkSize).map((content) => ({ content }));
      const index = tools++;
      const start = { index, id: block.id, type: "function", function: { name: block.name, arguments: "" } };
      const rest = chunksOf(block.arguments, chunkSize).map((piece) => ({ index, function: { arguments: piece } }));
      return [start, ...rest].map((call) => ({ tool_calls: [call] }));
    }),
  ];
}

function usageOf({ input, output, total, cached, reasoning }: Usage): JsonObject {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: total,
    ...(cached !== null && { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning !== null && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}
