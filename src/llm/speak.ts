import { randomUUID } from "node:crypto";
import { type BodyReply, type Exchange, jsonReply, jsonTextReply, type Reply } from "../http/exchange.ts";
import type { ModelSaid } from "../journal/facts.ts";
import type { Json } from "../json.ts";
import { type Answer, toAnswer } from "./answer.ts";
import type { Codec, Memory, ModelRequest } from "./codec.ts";
import type { Decision } from "./decide.ts";
import { vectorOf } from "./embedding.ts";
import { errorHeaders, NO_RETRY } from "./error-headers.ts";
import { AT_ONCE, type PaceDefaults } from "./pace.ts";
import type { EmbeddingReply, ErrorReply, MessageReply } from "./reply.ts";
import type { Service } from "./routes.ts";
import { sendStream, sendWhole, type Timing } from "./send.ts";
import type { Turn } from "./turn.ts";

/** An answer on its way out. */
export interface Speech {
  readonly reply: Reply | Promise<Reply>;
  /** The whole answer, for the journal; a stream says the same. */
  readonly answer: Json;
  readonly said: ModelSaid;
  /** What a later request may refer to. */
  readonly memories: readonly Memory[];
}

/** To whom it is said, and in whose words. */
export interface Audience {
  readonly exchange: Exchange;
  readonly service: Service;
  readonly request: ModelRequest;
  /** `null` when the request could not be read: then the decision is a refusal. */
  readonly turn: Turn | null;
  readonly defaults: PaceDefaults;
}

/** Puts a decision into the provider's words, whole or as a stream, to be sent when it is due. */
export function speak({ reply, fixture, refused }: Decision, audience: Audience): Speech {
  const { exchange, service, request, turn, defaults } = audience;
  const timing: Timing = { pace: fixture?.pace ?? AT_ONCE, defaults };
  const whole = (body: BodyReply) => sendWhole(body, timing, exchange);

  if (reply.kind === "error") {
    const answer = service.codec.error(reply, exchange.id);
    const headers = { ...errorHeaders(reply), ...(refused && NO_RETRY), "request-id": exchange.id };
    return { reply: whole(jsonReply(reply.status, answer, headers)), answer, said: saidError(reply), memories: [] };
  }
  if (turn !== null && reply.kind === "embedding" && service.kind === "embedding") {
    const vectors = vectorsFor(reply, turn, service.codec.dimensions(request));
    const answer = service.codec.encode(vectors, { turn, request });
    const said: ModelSaid = { kind: "embedding", vectors: vectors.length };
    return { reply: whole(jsonReply(200, answer)), answer, said, memories: [] };
  }
  if (turn !== null && reply.kind === "message" && service.kind === "chat") {
    return speakMessage(reply, { ...audience, codec: service.codec, turn, timing });
  }
  // The endpoint that each fixture is loaded with keeps the kinds apart.
  throw new Error(`A reply of kind "${reply.kind}" cannot answer ${exchange.path}`);
}

interface Conversation extends Audience {
  readonly codec: Codec;
  readonly turn: Turn;
  readonly timing: Timing;
}

function speakMessage(reply: MessageReply, { codec, turn, request, exchange, timing }: Conversation): Speech {
  const answer = toAnswer(reply, { turn, idPrefix: codec.idPrefix, newId, now: exchange.startedAt });
  const encoded = codec.encode(answer, request);
  const headers = { "request-id": exchange.id };
  const chunkSize = timing.pace.chunkSize ?? timing.defaults.chunkSize;
  const whole = (text: string) => sendWhole(jsonTextReply(200, text, headers), timing, exchange);
  const events = () => codec.events(answer, request, chunkSize);
  return {
    reply: !turn.stream
      ? whole(JSON.stringify(encoded))
      : codec.isArray?.(exchange.query) === true
        ? whole(`[${events().map(({ data }) => data)}]`)
        : sendStream(events(), timing, headers),
    answer: encoded,
    said: saidMessage(answer),
    memories: codec.memories?.(answer, turn, request) ?? [],
  };
}

function newId(prefix: string): string {
  return prefix + randomUUID().replaceAll("-", "");
}

function vectorsFor({ vector }: EmbeddingReply, { inputs }: Turn, dimensions: number): (readonly number[])[] {
  return inputs.map((text) => vector ?? vectorOf(text, dimensions));
}

function saidMessage({ blocks, reasoning, finishReason }: Answer): ModelSaid {
  return {
    kind: "message",
    text: blocks.map((block) => (block.type === "text" ? block.text : "")).join(""),
    reasoning,
    toolCalls: blocks.flatMap((block) =>
      block.type === "toolCall" ? [{ id: block.id, name: block.name, arguments: JSON.parse(block.arguments) }] : [],
    ),
    finishReason,
  };
}

function saidError({ status, message, code }: ErrorReply): ModelSaid {
  return { kind: "error", status, message, code };
}
