import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { RPC, type RpcError, type RpcRequest, rpcError } from "../json-rpc.ts";
import type { Ask } from "./link.ts";
import type { StateSeal } from "./state-seal.ts";

/**
 * What a client brings back to a call that asked it something (MCP 2026-07-28, Multi round-trip requests): its answers,
 * those of earlier rounds included, and what the server told itself through the client.
 */
export interface Round {
  readonly answers: ReadonlyMap<string, JsonObject>;
  /** Keys of the questions of earlier rounds; none in the first. */
  readonly asked: readonly string[];
  /** What the call carried over to this round, see `Link.carry`. */
  readonly carried: JsonObject | null;
}

export type RoundReading =
  | { readonly ok: true; readonly round: Round }
  | { readonly ok: false; readonly error: RpcError };

const FIRST: Round = { answers: new Map(), asked: [], carried: null };

/** Reads a request's `inputResponses` and `requestState`. A state that this server did not make for this call is refused. */
export function readRound({ method, params }: RpcRequest, seal: StateSeal): RoundReading {
  if (!isJsonObject(params)) return { ok: true, round: FIRST };
  const { inputResponses: given, requestState: state } = params;
  if (given === undefined && state === undefined) return { ok: true, round: FIRST };
  if (given !== undefined && !isJsonObject(given)) return refused("inputResponses must be an object");
  if (state !== undefined && typeof state !== "string") return refused("requestState must be a string");
  const opened = state === undefined ? {} : seal.open(state);
  const isForeign = opened === undefined || (state !== undefined && opened.call !== callKey(method, params));
  if (isForeign) return refused("requestState is not one that this server made for this call");
  const earlier = isJsonObject(opened.answers) ? opened.answers : {};
  const answers = Object.entries({ ...earlier, ...given }).filter((each): each is [string, JsonObject] =>
    isJsonObject(each[1]),
  );
  const asked = Array.isArray(opened.asked) ? opened.asked.map(String) : [];
  const carried = isJsonObject(opened.carried) ? opened.carried : null;
  return { ok: true, round: { answers: new Map(answers), asked, carried } };
}

/** The result that sends a call back to its client with questions. */
export function inputRequired(
  { method, params }: RpcRequest,
  asks: readonly Ask[],
  { round, carried, seal }: { round: Round; carried: JsonObject | null; seal: StateSeal },
): JsonObject {
  const questions = asks.map((ask) => [ask.key, { method: ask.method, params: ask.params }]);
  const asked = [...new Set([...round.asked, ...asks.map((ask) => ask.key)])];
  const answers = asked.flatMap((key) => (round.answers.has(key) ? [[key, round.answers.get(key)]] : []));
  const call = callKey(method, isJsonObject(params) ? params : {});
  const requestState = seal.seal({ call, asked, answers: Object.fromEntries(answers), carried });
  return { resultType: "input_required", inputRequests: Object.fromEntries(questions), requestState };
}

/** A call is the same call in its next round when it asks for the same with the same arguments. */
function callKey(method: string, params: JsonObject): Json {
  const { _meta, inputResponses, requestState, ...own } = params;
  return JSON.stringify([method, own]);
}

function refused(why: string): RoundReading {
  return { ok: false, ...rpcError(RPC.invalidParams, `Invalid params: ${why}`) };
}
