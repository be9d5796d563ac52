import type { JsonObject } from "../json.ts";
import { type Answer, type AnswerBlock, chunksOf, type Usage } from "./answer.ts";
import type { Codec, Decoded, StreamEvent } from "./codec.ts";
import { namesOf, objectOf, objectsOf, textOf } from "./reading.ts";
import type { TurnMessage } from "./turn.ts";

/**
 * Gemini `generateContent` and `streamGenerateContent`: `POST /v1beta/models/{model}:…`.
 * Held to the `@google/genai` client.
 */
export const gemini: Codec = {
  provider: "gemini",
  idPrefix: { answer: "gemini-", toolCall: "call_" },

  decode({ body, model, stream }): Decoded {
    if (!Array.isArray(body.contents)) return { ok: false, reason: "contents must be an array" };
    const system = partsText(objectsOf(objectOf(body.systemInstruction ?? body.system_instruction).parts));
    return {
      ok: true,
      turn: {
        endpoint: "chat",
        model: model ?? "",
        messages: [
          ...(system === "" ? [] : [{ role: "system" as const, text: system }]),
          ...objectsOf(body.contents).flatMap(toMessages),
        ],
        tools: objectsOf(body.tools).flatMap((tool) =>
          namesOf(objectsOf(tool.functionDeclarations ?? tool.function_declarations), (each) => each.name),
        ),
        responseFormat: responseFormat(objectOf(body.generationConfig ?? body.generation_config)),
        inputs: [],
        stream: stream === true,
      },
    };
  },

  encode: (answer) => chunk(answer, { parts: wholeParts(answer), last: true }),

  events(answer, _request, chunkSize) {
    const parts = streamedParts(answer, chunkSize);
    // An answer without any text still has its one chunk, which says why it stopped.
    const groups = parts.length === 0 ? [[]] : parts.map((part) => [part]);
    return groups.map((group, index) => event(chunk(answer, { parts: group, last: index === groups.length - 1 })));
  },

  isArray: (query) => new URLSearchParams(query).get("alt") !== "sse",

  error: ({ status, message, type, retryAfter }) => ({
    error: {
      code: status,
      message,
      status: type ?? ERROR_STATUSES[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL"),
      ...(retryAfter !== null && { details: [{ "@type": RETRY_INFO, retryDelay: `${retryAfter}s` }] }),
    },
  }),
};

/** A content may hold the results of calls: each is a message of its own, before what the user says beside them. */
function toMessages({ role, parts: content }: JsonObject): TurnMessage[] {
  const parts = objectsOf(content);
  const text = partsText(parts);
  if (role === "model") {
    const toolCalls = parts.flatMap((part) => {
      const call = part.functionCall ?? part.function_call;
      if (call === undefined) return [];
      const { id, name, args } = objectOf(call);
      return [{ id: textOf(id), name: textOf(name) ?? "", arguments: JSON.stringify(args ?? {}) }];
    });
    return [{ role: "assistant", text, toolCalls }];
  }
  const results = parts.flatMap((part): TurnMessage[] => {
    const result = part.functionResponse ?? part.function_response;
    if (result === undefined) return [];
    const { id, name, response } = objectOf(result);
    return [{ role: "tool", text: JSON.stringify(response ?? {}), toolCallId: textOf(id) ?? textOf(name) }];
  });
  return text === "" && results.length > 0 ? results : [...results, { role: "user", text }];
}

/** The model's thoughts, which clients send back, are no text of the conversation. */
function partsText(parts: readonly JsonObject[]): string {
  return parts
    .filter((part) => part.thought !== true)
    .map((part) => textOf(part.text) ?? "")
    .join("");
}

/** In OpenAI's words: Gemini tells a schema beside the type of the text. */
function responseFormat(config: JsonObject): string | null {
  const mimeType = textOf(config.responseMimeType ?? config.response_mime_type);
  if (mimeType !== "application/json") return mimeType === null ? null : "text";
  const schema = config.responseSchema ?? config.response_schema ?? config.responseJsonSchema;
  return schema === undefined ? "json_object" : "json_schema";
}

function wholeParts({ reasoning, blocks }: Answer): JsonObject[] {
  return [...(reasoning === null ? [] : [{ text: reasoning, thought: true }]), ...blocks.map(wholePart)];
}

function wholePart(block: AnswerBlock): JsonObject {
  if (block.type === "text") return { text: block.text };
  return { functionCall: { id: block.id, name: block.name, args: JSON.parse(block.arguments) } };
}

/** Texts in pieces; a function call is always sent whole. */
function streamedParts(answer: Answer, chunkSize: number): JsonObject[] {
  return wholeParts(answer).flatMap((part) =>
    typeof part.text === "string" ? chunksOf(part.text, chunkSize).map((text) => ({ ...part, text })) : [part],
  );
}

function chunk(answer: Answer, { parts, last }: { parts: JsonObject[]; last: boolean }): JsonObject {
  return {
    candidates: [
      {
        content: { role: answer.role === "assistant" ? "model" : answer.role, parts },
        ...(last && { finishReason: FINISH_REASONS[answer.finishReason] ?? answer.finishReason }),
        index: 0,
      },
    ],
    usageMetadata: usageOf(answer.usage),
    modelVersion: answer.model,
    responseId: answer.id,
  };
}

function event(data: JsonObject): StreamEvent {
  return { data: JSON.stringify(data) };
}

function usageOf({ input, output, total, cached, reasoning }: Usage): JsonObject {
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - (reasoning ?? 0),
    totalTokenCount: total,
    ...(cached !== null && { cachedContentTokenCount: cached }),
    ...(reasoning !== null && { thoughtsTokenCount: reasoning }),
  };
}

/** From OpenAI's words; a turn of function calls stops like any other. */
const FINISH_REASONS: Readonly<Record<string, string>> = {
  stop: "STOP",
  tool_calls: "STOP",
  length: "MAX_TOKENS",
  content_filter: "SAFETY",
};

const RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";

const ERROR_STATUSES: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  501: "UNIMPLEMENTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};
