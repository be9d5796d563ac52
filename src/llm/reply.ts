/** One piece of what the model says, in order. */
export type ReplyBlock =
  | { readonly type: "text"; readonly text: string }
  /** `arguments` is JSON text, as models write it; without an `id`, one is made for each answer. */
  | { readonly type: "toolCall"; readonly id: string | null; readonly name: string; readonly arguments: string };

/** Token counts. What a fixture leaves out is `null` and estimated. */
export interface UsageOverride {
  readonly input: number | null;
  /** Reasoning included. */
  readonly output: number | null;
  readonly total: number | null;
  readonly cached: number | null;
  readonly cacheWritten: number | null;
  readonly reasoning: number | null;
}

/** A model's answer before a codec puts it in a provider's words. `null` = the codec's own default. */
export interface MessageReply {
  readonly kind: "message";
  readonly blocks: readonly ReplyBlock[];
  readonly reasoning: string | null;
  readonly reasoningSignature: string | null;
  readonly redactedThinking: readonly string[];
  readonly usage: UsageOverride;
  /** OpenAI's word (`stop`, `length`, `tool_calls`, `content_filter`) or the provider's own. */
  readonly finishReason: string | null;
  readonly id: string | null;
  /** Seconds since the epoch. */
  readonly created: number | null;
  readonly model: string | null;
  readonly role: string | null;
  readonly systemFingerprint: string | null;
}

/** A refusal of the provider, scripted or our own. */
export interface ErrorReply {
  readonly kind: "error";
  readonly status: number;
  readonly message: string;
  /** The provider's own word for the status when `null`. */
  readonly type: string | null;
  readonly param: string | null;
  readonly code: string | null;
  /** Seconds for `Retry-After`; `null` = 1 on a 429, none otherwise. */
  readonly retryAfter: number | null;
}

/** One vector, given for each input; `null` makes one of each input's text. */
export interface EmbeddingReply {
  readonly kind: "embedding";
  readonly vector: readonly number[] | null;
}

export type ModelReply = MessageReply | ErrorReply | EmbeddingReply;
