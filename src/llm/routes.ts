import { anthropic } from "./anthropic.ts";
import type { Codec, EmbeddingCodec } from "./codec.ts";
import { geminiEmbeddings, openAiEmbeddings } from "./embedding.ts";
import { gemini } from "./gemini.ts";
import { openAiChat } from "./openai-chat.ts";
import { openAiResponses } from "./openai-responses.ts";

/** Who answers a path, and what the path itself says. */
export type Service =
  | { readonly kind: "chat"; readonly codec: Codec }
  | { readonly kind: "embedding"; readonly codec: EmbeddingCodec };

export interface RoutedRequest {
  readonly service: Service;
  readonly model: string | null;
  readonly stream: boolean | null;
}

const chat = (codec: Codec): Service => ({ kind: "chat", codec });
const embedding = (codec: EmbeddingCodec): Service => ({ kind: "embedding", codec });

/** An OpenAI path, below `/v1` or below any other prefix that a gateway or a proxy may have. */
const openAi = (suffix: string) => new RegExp(`^(?:/v1|(?!/v1/)(?:/.*)?)/${suffix}$`);
/** A Gemini or Vertex method; both name the model in the path. */
const google = (method: string) => new RegExp(`^/v1\\w*/(?:.*/)?(?:models|tunedModels)/(?<model>[^/:]+):${method}$`);

/** Every path that asks a model, as POST. Azure names the model in the path too. */
const ROUTES: readonly { readonly path: RegExp; readonly service: Service; readonly stream?: boolean }[] = [
  { path: /^\/openai\/deployments\/(?<model>[^/]+)\/chat\/completions$/, service: chat(openAiChat) },
  { path: /^\/openai\/deployments\/(?<model>[^/]+)\/embeddings$/, service: embedding(openAiEmbeddings) },
  { path: openAi("chat/completions"), service: chat(openAiChat) },
  { path: openAi("responses"), service: chat(openAiResponses) },
  { path: openAi("embeddings"), service: embedding(openAiEmbeddings) },
  { path: /^\/v1\/messages$/, service: chat(anthropic) },
  { path: google("generateContent"), service: chat(gemini), stream: false },
  { path: google("streamGenerateContent"), service: chat(gemini), stream: true },
  { path: google("(?:embedContent|batchEmbedContents)"), service: embedding(geminiEmbeddings) },
];

/** Finds who answers a path, or says "not a model's". */
export function routeOf(path: string): RoutedRequest | undefined {
  for (const { path: pattern, service, stream = null } of ROUTES) {
    const found = pattern.exec(path);
    if (found !== null) return { service, model: modelIn(found.groups?.model), stream };
  }
  return undefined;
}

function modelIn(encoded: string | undefined): string | null {
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
