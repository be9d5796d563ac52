import type { McpServerFault } from "../fixtures/fault-types.ts";
import type { LLMock } from "../llmock.ts";
import { MCPMock } from "../mcp/mcp-mock.ts";
import type { McpConfig } from "./config.ts";

/** Mounts the server that a section of a config file describes: each of its tools has one answer for the whole run. */
export function mountConfigured(
  llm: LLMock,
  { path = "/mcp", serverInfo, tools, resources, prompts, faults }: McpConfig,
): void {
  const named = serverInfo === undefined ? {} : { serverInfo: plain(serverInfo) };
  const planned = (faults ?? []) as McpServerFault[]; // JSON holds no undefined members
  const mock = new MCPMock({ ...named, faults: planned });
  for (const { result, ...definition } of (tools ?? []).map(plain)) {
    mock.addTool(definition);
    if (result !== undefined) mock.onToolCall(definition.name, () => result);
  }
  for (const { text, blob, ...definition } of (resources ?? []).map(plain)) {
    mock.addResource(definition, text === undefined ? { blob: blob ?? "" } : { text });
  }
  for (const { messages = [], arguments: given, ...definition } of (prompts ?? []).map(plain)) {
    const args = given === undefined ? {} : { arguments: given.map(plain) };
    mock.addPrompt({ ...definition, ...args }, () => ({ messages: messages.map(plain) }));
  }
  llm.mount(path, mock);
}

type Plain<T> = { [Key in keyof Omit<T, "$schema" | "_comment">]: Exclude<T[Key], undefined> };

/** An object of the file without the comments that are allowed anywhere. */
function plain<T extends object>(object: T): Plain<T> {
  const kept = Object.entries(object).filter(([key]) => key !== "$schema" && key !== "_comment");
  return Object.fromEntries(kept) as Plain<T>; // JSON holds no undefined members
}
