import type { Json } from "../json.ts";

/** What kind of answer a request wants. */
export type Endpoint = "chat" | "embedding";

/** A tool call that the model made earlier, as the client sends it back. */
export interface TurnToolCall {
  readonly id: string | null;
  readonly name: string;
  /** JSON text, as models write it. */
  readonly arguments: string;
}

/** One message of the conversation, whatever the provider calls it. */
export type TurnMessage =
  | { readonly role: "system" | "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly toolCalls: readonly TurnToolCall[] }
  | { readonly role: "tool"; readonly text: string; readonly toolCallId: string | null };

/** What a model was asked: the part of a request that fixtures look at, the same for every provider. */
export interface Turn {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly messages: readonly TurnMessage[];
  /** Names of the tools that the request offers. */
  readonly tools: readonly string[];
  /** `text`, `json_object` or `json_schema`; `null` when the request does not say. */
  readonly responseFormat: string | null;
  /** The texts to embed; empty for a chat. */
  readonly inputs: readonly string[];
  readonly stream: boolean;
}

/** The text of the last user message that has any, or `null`. */
export function lastUserText(turn: Turn): string | null {
  return turn.messages.findLast((message) => message.role === "user" && message.text !== "")?.text ?? null;
}

/** All system texts, one a line; `null` when there is none. */
export function systemText(turn: Turn): string | null {
  const texts = turn.messages.filter((message) => message.role === "system").map((message) => message.text);
  return texts.length === 0 ? null : texts.join("\n");
}

/** The very last message when it is a tool's result, else `null`. */
export function lastToolResult(turn: Turn): (TurnMessage & { role: "tool" }) | null {
  const last = turn.messages.at(-1);
  return last?.role === "tool" ? last : null;
}

/** Whether a tool answered since the user last spoke (in the whole conversation when no user spoke). */
export function hasToolResult(turn: Turn): boolean {
  const user = turn.messages.findLastIndex((message) => message.role === "user");
  return turn.messages.slice(user + 1).some((message) => message.role === "tool");
}

/** How often the model has spoken before this turn. */
export function assistantCount(turn: Turn): number {
  return turn.messages.filter((message) => message.role === "assistant").length;
}

/**
 * The turn as a chat request: what the journal stores as `body`, and what a fixture's `predicate` gets,
 * whichever provider was asked.
 */
export function chatShape(turn: Turn): Json & object {
  if (turn.endpoint === "embedding") return { model: turn.model, input: [...turn.inputs] };
  return {
    model: turn.model,
    messages: turn.messages.map(chatMessage),
    ...(turn.tools.length > 0 && { tools: turn.tools.map((name) => ({ type: "function", function: { name } })) }),
    ...(turn.responseFormat !== null && { response_format: { type: turn.responseFormat } }),
    stream: turn.stream,
  };
}

function chatMessage(message: TurnMessage): Json {
  switch (message.role) {
    case "tool":
      return { role: "tool", tool_call_id: message.toolCallId, content: message.text };
    case "assistant":
      return {
        role: "assistant",
        content: message.text,
        ...(message.toolCalls.length > 0 && {
          tool_calls: message.toolCalls.map(({ id, name, arguments: text }) => ({
            id,
            type: "function",
            function: { name, arguments: text },
          })),
        }),
      };
    case "system":
    case "user":
      return { role: message.role, content: message.text };
  }
}
