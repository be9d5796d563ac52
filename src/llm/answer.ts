import type { MessageReply } from "./reply.ts";
import type { Turn } from "./turn.ts";

export type AnswerBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "toolCall"; readonly id: string; readonly name: string; readonly arguments: string };

/** Token counts of one answer. What nobody scripted is `null` where providers may leave it out. */
export interface Usage {
  readonly input: number;
  /** Reasoning included. */
  readonly output: number;
  readonly total: number;
  readonly cached: number | null;
  readonly cacheWritten: number | null;
  readonly reasoning: number | null;
}

/** A scripted message with all that the script left open filled in: what a codec puts into words. */
export interface Answer {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model: string;
  readonly role: string;
  readonly blocks: readonly AnswerBlock[];
  readonly reasoning: string | null;
  readonly reasoningSignature: string | null;
  readonly redactedThinking: readonly string[];
  readonly usage: Usage;
  /** OpenAI's word, or the provider's own when a fixture says so. */
  readonly finishReason: string;
  readonly systemFingerprint: string | null;
}

/** What an answer is made of beside the script. */
export interface Making {
  readonly turn: Turn;
  readonly idPrefix: { readonly answer: string; readonly toolCall: string };
  /** A new id that begins with `prefix`. */
  newId(prefix: string): string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Fills in what the script leaves open: ids, time, model, reason to stop, and a guess at the token counts. */
export function toAnswer(reply: MessageReply, { turn, idPrefix, newId, now }: Making): Answer {
  const blocks = reply.blocks.map((block) =>
    block.type === "text" ? block : { ...block, id: block.id ?? newId(idPrefix.toolCall) },
  );
  const callsTools = blocks.some((block) => block.type === "toolCall");
  return {
    id: reply.id ?? newId(idPrefix.answer),
    created: reply.created ?? Math.floor(now / 1000),
    model: reply.model ?? turn.model,
    role: reply.role ?? "assistant",
    blocks,
    reasoning: reply.reasoning,
    reasoningSignature: reply.reasoningSignature,
    redactedThinking: reply.redactedThinking,
    usage: usageOf(reply, turn),
    finishReason: reply.finishReason ?? (callsTools ? "tool_calls" : "stop"),
    systemFingerprint: reply.systemFingerprint,
  };
}

function usageOf({ usage, blocks, reasoning }: MessageReply, turn: Turn): Usage {
  const said = blocks.map((block) => (block.type === "text" ? block.text : block.name + block.arguments));
  const input = usage.input ?? guessTokens(turn.messages.map((message) => message.text));
  const output = usage.output ?? guessTokens([...said, reasoning ?? ""]);
  return {
    input,
    output,
    total: usage.total ?? input + output,
    cached: usage.cached,
    cacheWritten: usage.cacheWritten,
    reasoning: usage.reasoning ?? (reasoning === null ? null : guessTokens([reasoning])),
  };
}

/** About four characters a token: good enough for code that adds counts up. */
export function guessTokens(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / 4);
}

/** Cuts a text into pieces of `size` characters; a surrogate pair stays whole. */
export function chunksOf(text: string, size: number): string[] {
  const chunks: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + size;
    const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(end));
    chunks.push(text.slice(start, splitsPair ? end + 1 : end));
    start = splitsPair ? end + 1 : end;
  }
  return chunks;
}
