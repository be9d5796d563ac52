import type { Exchange, Mount, Reply } from "../http/exchange.ts";
import { readIdentity } from "../identity.ts";
import { isJsonObject } from "../json.ts";
import type { Limits } from "../limits.ts";
import type { Logger } from "../logger.ts";
import { parseBody } from "../parse-json.ts";
import { showPlain } from "../text.ts";
import type { ModelRequest } from "./codec.ts";
import { type DeciderOptions, decide } from "./decide.ts";
import { createTurnMemory } from "./memory.ts";
import { modelsReply } from "./models.ts";
import type { PaceDefaults } from "./pace.ts";
import { type RoutedRequest, routeOf } from "./routes.ts";
import { speak } from "./speak.ts";
import { chatShape } from "./turn.ts";

export interface ModelMountOptions extends DeciderOptions {
  readonly pace: PaceDefaults;
  /** How misses are taken where a request does not say it itself (`X-AIMock-Strict`). */
  readonly strict: boolean;
  readonly limits: Pick<Limits, "hit">;
  logger(): Logger;
}

/**
 * Answers the requests that agents send to their models, at the paths of the providers. There is one way for all of
 * them: path, provider's words, turn, fixture, reply, provider's words; and one place that notes it for the journal.
 */
export function createModelMount(options: ModelMountOptions): Mount {
  const { store, pace, strict, limits, logger } = options;
  const memory = createTurnMemory();

  function ask(exchange: Exchange, { service, model, stream }: RoutedRequest): Reply | Promise<Reply> {
    const reading = readIdentity(exchange);
    if (!reading.ok) {
      exchange.note({ service: "llm", identity: null, body: null });
      return reading.reply;
    }
    const { identity } = reading;
    const parsed = parseBody(exchange.body, limits);
    const body = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
    const request: ModelRequest = { body, model, stream, recall: (id) => memory.recall(identity.testId, id) };
    const decoded = parsed.ok
      ? service.codec.decode(request)
      : { ok: false as const, reason: `The body is not JSON: ${parsed.reason.text}` };
    const asker = { identity, strict: isStrict(exchange) ?? strict };
    const decision = decide(options, decoded, asker);
    const turn = decoded.ok ? decoded.turn : null;
    const speech = speak(decision, { exchange, service, request, turn, defaults: pace });
    memory.keep(identity.testId, speech.memories);
    if (decision.refused && decision.reply.kind === "error") {
      logger().error(`LLM-FIXTURE: ${decision.outcome} on ${exchange.path}: ${showPlain(decision.reply.message)}`);
    }
    exchange.note({
      service: "llm",
      identity,
      body: turn === null ? (parsed.ok ? parsed.value : null) : chatShape(turn),
      answer: speech.answer,
      model: {
        provider: service.codec.provider,
        turn,
        outcome: decision.outcome,
        fixture: decision.fixture,
        closest: decision.closest,
        said: speech.said,
      },
    });
    return speech.reply;
  }

  return {
    handle(exchange) {
      if (exchange.method === "GET") return modelsReply(exchange, store.fixtures());
      const routed = exchange.method === "POST" ? routeOf(exchange.path) : undefined;
      return routed === undefined ? undefined : ask(exchange, routed);
    },
  };
}

/** What the request itself says of strictness; `null` when it says nothing that is known. */
function isStrict({ headers }: Exchange): boolean | null {
  switch (headers["x-aimock-strict"]?.toLowerCase()) {
    case "true":
    case "1":
      return true;
    case "false":
    case "0":
      return false;
    default:
      return null;
  }
}
