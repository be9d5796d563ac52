import type { Json, JsonObject } from "../json.ts";
import type { Answer } from "./answer.ts";
import type { ErrorReply } from "./reply.ts";
import type { Turn, TurnMessage } from "./turn.ts";

/** The APIs that are spoken. The word stands in the journal. */
export type Provider =
  | "openai-chat"
  | "openai-responses"
  | "openai-embeddings"
  | "anthropic"
  | "gemini"
  | "gemini-embeddings";

/** A request's body, and what its path says. */
export interface ModelRequest {
  readonly body: JsonObject;
  /** Where the path names the model (Gemini, Azure). */
  readonly model: string | null;
  /** Where the path says how to answer (Gemini). */
  readonly stream: boolean | null;
  /** What the server has kept under an id that the client refers to instead of sending it again (Responses). */
  recall(id: string): readonly TurnMessage[] | undefined;
}

/** Messages that a later request of the same test may refer to by an id. */
export interface Memory {
  readonly id: string;
  readonly messages: readonly TurnMessage[];
}

/** A request in neutral words, or why it cannot be read. */
export type Decoded = { readonly ok: true; readonly turn: Turn } | { readonly ok: false; readonly reason: string };

/** One server-sent event. */
export interface StreamEvent {
  readonly event?: string;
  readonly data: string;
  /** `false`: sent together with the one before it. */
  readonly paced?: false;
}

/** What the codecs of one provider share. Values in, values out; a codec keeps nothing. */
interface Words {
  readonly provider: Provider;
  decode(request: ModelRequest): Decoded;
  /** The body of a refusal. */
  error(reply: ErrorReply, requestId: string): Json;
}

/** One provider's words for a conversation. */
export interface Codec extends Words {
  /** How the provider's ids begin. */
  readonly idPrefix: { readonly answer: string; readonly toolCall: string };
  /** The whole answer. */
  encode(answer: Answer, request: ModelRequest): JsonObject;
  /** The same answer as a stream; texts come in pieces of `chunkSize` characters. */
  events(answer: Answer, request: ModelRequest, chunkSize: number): readonly StreamEvent[];
  /** Whether the query asks for a stream as one JSON array, where the provider has that. */
  isArray?(query: string): boolean;
  /** What the provider keeps of an answered turn, where it keeps anything. */
  memories?(answer: Answer, turn: Turn, request: ModelRequest): readonly Memory[];
}

/** One provider's words for embeddings. */
export interface EmbeddingCodec extends Words {
  /** How many numbers a vector is asked to have. */
  dimensions(request: ModelRequest): number;
  /** One vector an input. */
  encode(vectors: readonly (readonly number[])[], asked: { turn: Turn; request: ModelRequest }): JsonObject;
}
