import type { JsonObject } from "../../json.ts";
import type { Ask } from "./link.ts";

/** A client's answer to an elicitation (MCP, Elicitation). */
export interface McpElicitResult {
  action: "accept" | "decline" | "cancel";
  content?: { [name: string]: string | number | boolean | string[] };
}

/** What a client's model answered (MCP, Sampling). */
export interface McpSampleResult {
  role: "user" | "assistant";
  content: unknown;
  model: string;
  stopReason?: string;
}

/** A client's roots (MCP, Roots). */
export interface McpRootsResult {
  roots: { uri: string; name?: string }[];
}

export function isElicitResult(answer: JsonObject): answer is JsonObject & McpElicitResult {
  return answer.action === "accept" || answer.action === "decline" || answer.action === "cancel";
}

export function isSampleResult(answer: JsonObject): answer is JsonObject & McpSampleResult {
  return typeof answer.role === "string" && typeof answer.model === "string" && answer.content !== undefined;
}

export function isRootsResult(answer: JsonObject): answer is JsonObject & McpRootsResult {
  return Array.isArray(answer.roots);
}

/** What a client's answer to each question must look like. */
export const ANSWER_SHAPES: Readonly<Record<Ask["method"], (answer: JsonObject) => boolean>> = {
  "elicitation/create": isElicitResult,
  "sampling/createMessage": isSampleResult,
  "roots/list": isRootsResult,
};
