import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../json.ts";
import { guessTokens } from "./answer.ts";
import type { Decoded, EmbeddingCodec } from "./codec.ts";
import { gemini } from "./gemini.ts";
import { openAiError } from "./openai-error.ts";
import { contentText, objectOf, objectsOf, textOf } from "./reading.ts";

/** OpenAI embeddings: `POST /v1/embeddings`. Held to the `openai` client, which asks for base64. */
export const openAiEmbeddings: EmbeddingCodec = {
  provider: "openai-embeddings",
  dimensions: ({ body }) => countOf(body.dimensions) ?? 1536,

  decode({ body, model }): Decoded {
    const { input } = body;
    if (typeof input !== "string" && !Array.isArray(input)) {
      return { ok: false, reason: "'input' must be a string or an array" };
    }
    return embeddingTurn(textOf(body.model) ?? model ?? "", typeof input === "string" ? [input] : inputsOf(input));
  },

  encode(vectors, { turn, request }) {
    const tokens = guessTokens(turn.inputs);
    const encoded = request.body.encoding_format === "base64" ? base64Of : (vector: readonly number[]) => [...vector];
    return {
      object: "list",
      data: vectors.map((vector, index) => ({ object: "embedding", index, embedding: encoded(vector) })),
      model: turn.model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    };
  },

  error: openAiError,
};

/** Gemini `embedContent` and `batchEmbedContents`. Held to the `@google/genai` client. */
export const geminiEmbeddings: EmbeddingCodec = {
  provider: "gemini-embeddings",
  dimensions: ({ body }) => countOf((objectsOf(body.requests)[0] ?? body).outputDimensionality) ?? 768,

  decode({ body, model }): Decoded {
    const requests = "requests" in body ? objectsOf(body.requests) : [body];
    return embeddingTurn(
      model ?? "",
      requests.map((request) => contentText(objectOf(request.content).parts)),
    );
  },

  encode(vectors, { request }) {
    const embeddings = vectors.map((vector): JsonObject => ({ values: [...vector] }));
    return "requests" in request.body ? { embeddings } : { embedding: embeddings[0] ?? { values: [] } };
  },

  error: gemini.error,
};

/**
 * A unit vector that is the text's alone: the same in every run and on every machine.
 * Equal texts are equal, all others are about as far apart as chance has it.
 */
export function vectorOf(text: string, dimensions: number): number[] {
  const values: number[] = [];
  for (let block = 0; values.length < dimensions; block++) {
    const bytes = createHash("sha256").update(`${block}:${text}`).digest();
    for (let at = 0; at < bytes.length && values.length < dimensions; at += 4) {
      values.push(bytes.readInt32LE(at) / 2 ** 31);
    }
  }
  const length = Math.hypot(...values) || 1;
  return values.map((value) => value / length);
}

function embeddingTurn(model: string, inputs: readonly string[]): Decoded {
  const turn = {
    endpoint: "embedding" as const,
    model,
    inputs,
    messages: [],
    tools: [],
    responseFormat: null,
    stream: false,
  };
  return { ok: true, turn };
}

/** Texts, or token lists (a list of numbers is one of them); tokens stand as their numbers. */
function inputsOf(input: readonly Json[]): string[] {
  if (input.every((item) => typeof item === "number")) return [input.join(" ")];
  return input.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
}

function countOf(value: Json | undefined): number | null {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= DIMENSIONS_MAX ? value : null;
}

const DIMENSIONS_MAX = 16_384;

function base64Of(vector: readonly number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString("base64");
}
