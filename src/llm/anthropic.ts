import type { Json, JsonObject } from "../json.ts";
import { type Answer, type AnswerBlock, chunksOf, type Usage } from "./answer.ts";
import type { Codec, Decoded, StreamEvent } from "./codec.ts";
import { contentText, namesOf, objectOf, objectsOf, textOf } from "./reading.ts";
import type { TurnMessage } from "./turn.ts";

/** Anthropic Messages: `POST /v1/messages`. Held to the `@anthropic-ai/sdk` client. */
export const anthropic: Codec = {
  provider: "anthropic",
  idPrefix: { answer: "msg_", toolCall: "toolu_" },

  decode({ body }): Decoded {
    if (!Array.isArray(body.messages)) return { ok: false, reason: "messages: must be an array" };
    const system = contentText(body.system);
    return {
      ok: true,
      turn: {
        endpoint: "chat",
        model: textOf(body.model) ?? "",
        messages: [
          ...(system === "" ? [] : [{ role: "system" as const, text: system }]),
          ...objectsOf(body.messages).flatMap(toMessages),
        ],
        tools: namesOf(objectsOf(body.tools), (tool) => tool.name),
        responseFormat: textOf(objectOf(objectOf(body.output_config).format ?? body.output_format).type),
        inputs: [],
        stream: body.stream === true,
      },
    };
  },

  encode: (answer) => ({
    ...head(answer),
    content: contentBlocks(answer),
    stop_reason: stopReason(answer),
    stop_sequence: null,
    usage: { ...inputUsage(answer.usage), output_tokens: answer.usage.output },
  }),

  events(answer, _request, chunkSize) {
    const message = {
      ...head(answer),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...inputUsage(answer.usage), output_tokens: 1 },
    };
    return [
      event({ type: "message_start", message }),
      { ...event({ type: "ping" }), paced: false },
      ...contentBlocks(answer).flatMap((block, index) => blockEvents(block, { index, chunkSize })),
      event({
        type: "message_delta",
        delta: { stop_reason: stopReason(answer), stop_sequence: null },
        usage: { output_tokens: answer.usage.output },
      }),
      event({ type: "message_stop" }),
    ];
  },

  error: ({ status, message, type }, requestId) => ({
    type: "error",
    error: { type: type ?? ERROR_TYPES[status] ?? (status < 500 ? "invalid_request_error" : "api_error"), message },
    request_id: requestId,
  }),
};

/** A user message may hold tool results: each is a message of its own, before what the user says beside them. */
function toMessages({ role, content }: JsonObject): TurnMessage[] {
  const parts = objectsOf(content);
  const text = typeof content === "string" ? content : contentText(parts.filter((part) => part.type === "text"));
  if (role === "system") return [{ role, text }];
  if (role === "assistant") {
    const toolCalls = parts.filter((part) => part.type === "tool_use" || part.type === "server_tool_use");
    return [
      {
        role,
        text,
        toolCalls: toolCalls.map((part) => ({
          id: textOf(part.id),
          name: textOf(part.name) ?? "",
          arguments: JSON.stringify(part.input ?? {}),
        })),
      },
    ];
  }
  const results = parts.flatMap((part): TurnMessage[] =>
    part.type === "tool_result"
      ? [{ role: "tool", text: contentText(part.content), toolCallId: textOf(part.tool_use_id) }]
      : [],
  );
  return text === "" && results.length > 0 ? results : [...results, { role: "user", text }];
}

function head({ id, role, model }: Answer): JsonObject {
  return { id, type: "message", role, model };
}

function contentBlocks({ reasoning, reasoningSignature, redactedThinking, blocks }: Answer): JsonObject[] {
  const thinking = { type: "thinking", thinking: reasoning, signature: reasoningSignature ?? PLACEHOLDER_SIGNATURE };
  return [
    ...redactedThinking.map((data) => ({ type: "redacted_thinking", data })),
    ...(reasoning === null ? [] : [thinking]),
    ...blocks.map(contentBlock),
  ];
}

/** Real ones are made by the provider, and clients send them back as they came. */
const PLACEHOLDER_SIGNATURE = "bWNwLWZha2Vz";

function contentBlock(block: AnswerBlock): JsonObject {
  if (block.type === "text") return { type: "text", text: block.text, citations: null };
  return { type: "tool_use", id: block.id, name: block.name, input: JSON.parse(block.arguments) };
}

function blockEvents(block: JsonObject, { index, chunkSize }: { index: number; chunkSize: number }): StreamEvent[] {
  const { empty, deltas } = unfold(block, chunkSize);
  return [
    event({ type: "content_block_start", index, content_block: empty }),
    ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
    event({ type: "content_block_stop", index }),
  ];
}

/** A content block as it starts, and what is added to it. */
function unfold(block: JsonObject, chunkSize: number): { empty: JsonObject; deltas: JsonObject[] } {
  switch (block.type) {
    case "text":
      return {
        empty: { ...block, text: "" },
        deltas: pieces(block.text, chunkSize).map((text) => ({ type: "text_delta", text })),
      };
    case "tool_use":
      return {
        empty: { ...block, input: {} },
        deltas: pieces(JSON.stringify(block.input), chunkSize).map((partial_json) => ({
          type: "input_json_delta",
          partial_json,
        })),
      };
    case "thinking":
      return {
        empty: { ...block, thinking: "", signature: "" },
        deltas: [
          ...pieces(block.thinking, chunkSize).map((thinking) => ({ type: "thinking_delta", thinking })),
          { type: "signature_delta", signature: block.signature ?? "" },
        ],
      };
    default:
      return { empty: block, deltas: [] };
  }
}

function pieces(text: Json | undefined, chunkSize: number): string[] {
  return chunksOf(textOf(text) ?? "", chunkSize);
}

function event(data: JsonObject & { type: string }): StreamEvent {
  return { event: data.type, data: JSON.stringify(data) };
}

function inputUsage({ input, cached, cacheWritten }: Usage): JsonObject {
  return {
    input_tokens: input,
    cache_creation_input_tokens: cacheWritten ?? 0,
    cache_read_input_tokens: cached ?? 0,
  };
}

function stopReason({ finishReason }: Answer): string {
  return STOP_REASONS[finishReason] ?? finishReason;
}

/** From OpenAI's words. */
const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  content_filter: "refusal",
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};
