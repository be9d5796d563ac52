import { setTimeout } from "node:timers/promises";
import { canonicalText, isJsonObject, type Json, type JsonObject } from "../json.ts";
import { LOGGING_LEVELS } from "../logging-level.ts";
import type { Backend, BackendAnswer, BackendRequest } from "../mcp/backend.ts";
import type { McpCallContext } from "../mcp/call/call-context.ts";
import { RPC } from "../mcp/json-rpc.ts";
import { showJson } from "../text.ts";
import type { Cassette } from "./cassette.ts";
import type { CassetteExchange, CassetteNotification } from "./cassette-line.ts";
import type { Redactor } from "./redact.ts";

export interface ReplayOptions {
  /** What was taken out of the recording is taken out of what comes in, before the two are compared. */
  readonly redactor: Redactor;
  /** Answers on with the last recording of a request when all are used. */
  readonly repeat: boolean;
  /** Whether what was told before an answer comes as slowly as it was recorded, and the answer with it. */
  readonly speed: "recorded" | "zero";
}

/** A recording that answers in place of what it was made of. */
export interface Replay extends Backend {
  /** Whether there is a recording left for a request of this test. */
  has(request: BackendRequest, testId: string | null): boolean;
}

/**
 * Answers each request with what was recorded for it: the same method and, once secrets are out, the same parameters.
 * Equal requests get their recordings in order, each test from the first one; lists are answered however often.
 */
export function replayBackend({ path, exchanges }: Cassette, { redactor, repeat, speed }: ReplayOptions): Replay {
  const recorded = new Map<string, CassetteExchange[]>();
  for (const exchange of exchanges) {
    const key = keyOf(exchange);
    recorded.set(key, [...(recorded.get(key) ?? []), exchange]);
  }
  const used = new Map<string | null, Map<string, number>>();

  function next(
    { method, params }: BackendRequest,
    testId: string | null,
  ): { key: string; exchange?: CassetteExchange; count: number } {
    const key = keyOf({ method, params: redactor.redact(params) });
    const known = recorded.get(key) ?? [];
    const count = used.get(testId)?.get(key) ?? 0;
    const isEndless = repeat || method.endsWith("/list");
    const exchange = known[count] ?? (isEndless ? known.at(-1) : undefined);
    return exchange === undefined ? { key, count } : { key, count, exchange };
  }

  return {
    has: (request, testId) => next(request, testId).exchange !== undefined,
    async answer(request, context) {
      const { testId } = context.request;
      const { key, exchange, count } = next(request, testId);
      if (exchange === undefined)
        return { error: missError(request, { path, recorded: recorded.get(key) ?? [], exchanges }) };
      const counts = used.get(testId) ?? new Map<string, number>();
      used.set(testId, counts.set(key, count + 1));
      await retell(exchange, context, speed);
      return answerOf(exchange);
    },
  };
}

// --- internal ---

function keyOf({ method, params }: { method: string; params: Json }): string {
  return `${method} ${canonicalText(params)}`;
}

function answerOf({ result, error }: CassetteExchange): BackendAnswer {
  if (error === undefined) return { result: result !== undefined && isJsonObject(result) ? result : {} };
  const { code, message, data } = error;
  return { error: data === undefined ? { code, message } : { code, message, data } };
}

/** Tells again what was told before the answer, and takes the answer's time. */
async function retell(
  exchange: CassetteExchange,
  context: McpCallContext,
  speed: ReplayOptions["speed"],
): Promise<void> {
  let told = 0;
  const until = async (afterMs: number) => {
    if (speed === "recorded" && afterMs > told) await setTimeout(afterMs - told, undefined, { signal: context.signal });
    told = Math.max(told, afterMs);
  };
  for (const notification of exchange.notifications) {
    await until(notification.afterMs);
    tell(notification, context);
  }
  await until(exchange.durationMs);
}

function tell({ method, params }: CassetteNotification, context: McpCallContext): void {
  const given: JsonObject = isJsonObject(params) ? params : {};
  if (method === "notifications/progress") {
    const { progress, total, message } = given;
    context.progress(
      Number(progress),
      typeof total === "number" ? total : undefined,
      typeof message === "string" ? message : undefined,
    );
    return;
  }
  const level = LOGGING_LEVELS.find((known) => known === given.level);
  if (level !== undefined)
    context.log(level, given.data ?? null, typeof given.logger === "string" ? given.logger : undefined);
}

function missError(
  { method, params }: BackendRequest,
  {
    path,
    recorded,
    exchanges,
  }: { path: string; recorded: readonly CassetteExchange[]; exchanges: readonly CassetteExchange[] },
): { code: number; message: string } {
  const what = `${method} ${showJson(params)}`;
  if (recorded.length > 0) {
    const times = recorded.length === 1 ? "once" : `${recorded.length} times`;
    const message = `Not recorded: ${what} was recorded ${times} in ${path} and is used up; --repeat answers on with the last.`;
    return { code: RPC.invalidParams, message };
  }
  const others = exchanges.filter((exchange) => exchange.method === method);
  const known =
    others.length === 0
      ? "nothing of that method"
      : others
          .slice(0, 5)
          .map((each) => showJson(each.params))
          .join("; ");
  return { code: RPC.invalidParams, message: `Not recorded: ${what} is not in ${path}. Recorded: ${known}.` };
}
