import type { Json, JsonObject } from "../json.ts";
import type { TurnFixture } from "./fixture.ts";

/** A fixture as the journal shows it, with what JSON cannot carry in words. */
export function showFixture({ id, written, response }: TurnFixture): JsonObject {
  return { id, match: plain(written), response: plain(response) };
}

/** A fixture as the control API lists it. Source: fakes-wire 8. */
export function listFixture({ id, written, scope, reply, pace }: TurnFixture, index: number): JsonObject {
  return {
    index,
    id,
    match: plain(written),
    responseKind: responseKind(reply),
    scope: plain(scope),
    ...(pace.latency !== null && { latency: pace.latency }),
  };
}

/** A fixture as a report names it. */
export function unaskedFixture({ id, written }: TurnFixture): { fixtureId: string; match: Json } {
  return { fixtureId: id, match: plain(written) };
}

function responseKind(reply: TurnFixture["reply"]): string {
  if (reply.kind !== "message") return reply.kind;
  const kinds = new Set(reply.blocks.map((block) => block.type));
  if (kinds.size > 1) return "contentWithToolCalls";
  return kinds.has("toolCall") ? "toolCalls" : "text";
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value, inWords));
}

function inWords(_key: string, value: unknown): unknown {
  if (value instanceof RegExp) return String(value);
  return typeof value === "function" ? "[function]" : value;
}
