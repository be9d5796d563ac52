import type { JsonObject } from "../json.ts";

/** A tool as `tools/list` shows it. Further keys (`title`, `annotations`, …) are listed as given. */
export interface McpToolDefinition {
  name: string;
  description?: string;
  /** Listed as `{ "type": "object" }` when absent, since real clients reject a tool without one. */
  inputSchema?: JsonObject;
  [key: string]: unknown;
}

/** Answers a call in code. What it returns takes the forms of a fake's `result`; what it throws becomes a tool error. */
export type McpToolHandler = (args: unknown) => unknown;

/** A resource as `resources/list` shows it. Further keys are listed as given. */
export interface McpResourceDefinition {
  uri: string;
  name: string;
  mimeType?: string;
  [key: string]: unknown;
}

/** What reading a resource answers: text, or bytes in base64. */
export type McpResourceContent = { text: string } | { blob: string };

/** A prompt as `prompts/list` shows it. Further keys are listed as given. */
export interface McpPromptDefinition {
  name: string;
  description?: string;
  arguments?: { name: string; description?: string; required?: boolean }[];
  [key: string]: unknown;
}

/** The result of `prompts/get`. */
export interface McpPromptResult {
  description?: string;
  messages: { role: "user" | "assistant"; content: JsonObject }[];
}

export type McpPromptHandler = (args: Record<string, string>) => McpPromptResult | Promise<McpPromptResult>;

export interface RegisteredTool {
  readonly definition: JsonObject;
  readonly handler: McpToolHandler | null;
}

export interface RegisteredResource {
  readonly definition: JsonObject;
  /** The one item of `contents` that a read answers. */
  readonly content: JsonObject;
}

export interface RegisteredPrompt {
  readonly name: string;
  readonly definition: JsonObject;
  readonly required: readonly string[];
  readonly handler: McpPromptHandler | null;
}

/** What code registered on one mock, in the order of first registration. A second registration of a name replaces it. */
export interface Registry {
  readonly tools: ReadonlyMap<string, RegisteredTool>;
  readonly resources: ReadonlyMap<string, RegisteredResource>;
  readonly prompts: ReadonlyMap<string, RegisteredPrompt>;
  addTool(definition: McpToolDefinition): void;
  /** A tool that only has a handler is listed by its name. */
  onToolCall(name: string, handler: McpToolHandler): void;
  addResource(definition: McpResourceDefinition, content: McpResourceContent): void;
  addPrompt(definition: McpPromptDefinition, handler?: McpPromptHandler): void;
  clear(): void;
}

export function createRegistry(): Registry {
  const tools = new Map<string, RegisteredTool>();
  const resources = new Map<string, RegisteredResource>();
  const prompts = new Map<string, RegisteredPrompt>();
  return {
    tools,
    resources,
    prompts,
    addTool(given) {
      const name = requireText("addTool", "name", given?.name);
      const definition = plainJson(`addTool("${name}")`, {
        ...given,
        inputSchema: given.inputSchema ?? { type: "object" },
      });
      tools.set(name, { definition, handler: tools.get(name)?.handler ?? null });
    },
    onToolCall(name, handler) {
      requireText("onToolCall", "name", name);
      requireFunction(`onToolCall("${name}")`, handler);
      const definition = tools.get(name)?.definition ?? { name, inputSchema: { type: "object" } };
      tools.set(name, { definition, handler });
    },
    addResource(given, content) {
      const uri = requireText("addResource", "uri", given?.uri);
      const who = `addResource("${uri}")`;
      requireText(who, "name", given.name);
      const read = plainJson(who, content ?? {});
      if (typeof read.text !== "string" && typeof read.blob !== "string") {
        throw new TypeError(`${who}: the content must be { text } or { blob } (base64), got ${JSON.stringify(read)}`);
      }
      const mimeType = given.mimeType === undefined ? {} : { mimeType: given.mimeType };
      resources.set(uri, { definition: plainJson(who, given), content: { uri, ...mimeType, ...read } });
    },
    addPrompt(given, handler) {
      const name = requireText("addPrompt", "name", given?.name);
      const who = `addPrompt("${name}")`;
      if (handler !== undefined) requireFunction(who, handler);
      const required = (given.arguments ?? []).filter((argument) => argument.required).map((argument) => argument.name);
      prompts.set(name, { name, definition: plainJson(who, given), required, handler: handler ?? null });
    },
    clear() {
      tools.clear();
      resources.clear();
      prompts.clear();
    },
  };
}

function requireText(who: string, what: string, value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw new TypeError(`${who}: ${what} must be a non-empty string, got ${JSON.stringify(value) ?? String(value)}`);
}

function requireFunction(who: string, value: unknown): void {
  if (typeof value !== "function") throw new TypeError(`${who}: the handler must be a function, got ${typeof value}`);
}

/** As it will be sent: what JSON cannot carry is found at registration, not at the first request. */
function plainJson(who: string, value: object): JsonObject {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch (error) {
    throw new TypeError(`${who}: what is registered must be plain JSON`, { cause: error });
  }
}
