import type { ModelTurn } from "../../../src/journal/turns.ts";
import { isJsonObject, type JsonObject } from "../../../src/json.ts";
import { showJson } from "../../../src/text.ts";
import { seen } from "./matcher.ts";

/** The texts of all messages that a request sent: system, user, the model's own, and the results of tools. */
export function sentTexts(turn: ModelTurn): string[] {
  return messagesIn(turn).map(({ content }) => String(content ?? ""));
}

/** A test's requests to models as a numbered list: the last message, and what the model said to it. */
export function turnList(turns: readonly ModelTurn[]): string[] {
  return turns.length === 0 ? [] : [seen("Requests to models", turns.map(turnText))];
}

/** The last message of a request, and what the model said to it. */
export function turnText(turn: ModelTurn): string {
  const last = messagesIn(turn).at(-1);
  const asked = last === undefined ? "no message" : `${last.role} ${showJson(last.content ?? null)}`;
  return `${asked} -> ${saidText(turn.said)}`;
}

function messagesIn({ request }: ModelTurn): JsonObject[] {
  const messages = request !== null && isJsonObject(request) ? request.messages : [];
  return Array.isArray(messages) ? messages.filter(isJsonObject) : [];
}

function saidText(said: ModelTurn["said"]): string {
  switch (said.kind) {
    case "error":
      return `error ${said.status}`;
    case "embedding":
      return "an embedding";
    case "message": {
      const calls = said.toolCalls.map((call) => `${call.name} ${showJson(call.arguments)}`);
      const text = said.text === "" && calls.length > 0 ? [] : [showJson(said.text)];
      return [...text, ...calls].join(", ");
    }
  }
}
