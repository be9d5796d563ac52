import type { Json, JsonObject, JsonObjectLike } from "../json.ts";
import type { McpCallContext } from "./call/call-context.ts";
import { createUriMatcher, type UriMatcher } from "./uri-template.ts";

/** A tool as `tools/list` shows it. Further keys (`title`, `annotations`, …) are listed as given. */
export interface McpToolDefinition {
  name: string;
  description?: string;
  /** Listed as `{ "type": "object" }` when absent, since real clients reject a tool without one. */
  inputSchema?: JsonObjectLike;
  [key: string]: unknown;
}

/**
 * Answers a call in code. What it returns takes the forms of a fake's `result`; what it throws becomes a tool error. The
 * arguments are handed over as they came: that they are `Args` is the author's word.
 */
export type McpToolHandler<Args = JsonObject> = (args: Args, context: McpCallContext) => unknown;

/** A resource as `resources/list` shows it. Further keys are listed as given. */
export interface McpResourceDefinition {
  uri: string;
  name: string;
  mimeType?: string;
  [key: string]: unknown;
}

/** What reading a resource answers: text, or bytes in base64. Further keys (`mimeType`, `_meta`, …) are sent as given. */
export type McpResourceContent = ({ text: string } | { blob: string }) & { [key: string]: unknown };

/** Answers the reads of a resource in code. */
export type McpResourceHandler = (
  uri: string,
  context: McpCallContext,
) => McpResourceContent | Promise<McpResourceContent>;

/** A template as `resources/templates/list` shows it. Further keys are listed as given. */
export interface McpResourceTemplateDefinition {
  /** RFC 6570: `{id}` is one path segment, `{+path}` and `{path*}` take slashes too, `{?a,b}` are query parameters. */
  uriTemplate: string;
  name: string;
  mimeType?: string;
  [key: string]: unknown;
}

/** Answers the reads of URIs that fit a template; gets the template's variables. */
export type McpResourceTemplateHandler = (
  variables: Record<string, string>,
  context: McpCallContext,
) => McpResourceContent | Promise<McpResourceContent>;

/** A prompt as `prompts/list` shows it. Further keys are listed as given. */
export interface McpPromptDefinition {
  name: string;
  description?: string;
  arguments?: readonly { name: string; description?: string; required?: boolean }[];
  [key: string]: unknown;
}

/** The result of `prompts/get`. */
export interface McpPromptResult {
  description?: string;
  messages: { role: "user" | "assistant"; content: JsonObject }[];
}

export type McpPromptHandler = (
  args: Record<string, string>,
  context: McpCallContext,
) => McpPromptResult | Promise<McpPromptResult>;

/** What an argument's values are completed for: a prompt by name, or a resource template by its `uriTemplate`. */
export type McpCompletionRef = { prompt: string } | { template: string };

/** Answers a completion: values, or a whole `completion` object. Sent are 100 at most. */
export type McpCompletionHandler = (
  argument: { name: string; value: string },
  context: McpCallContext,
) => McpCompletion | Promise<McpCompletion>;

export type McpCompletion = readonly string[] | { values: readonly string[]; total?: number; hasMore?: boolean };

export interface RegisteredTool {
  readonly definition: JsonObject;
  readonly handler: McpToolHandler<Json> | null;
}

export interface RegisteredResource {
  readonly definition: JsonObject;
  readonly isListed: boolean;
  read(uri: string, context: McpCallContext): unknown;
}

export interface RegisteredTemplate {
  readonly definition: JsonObject;
  /** The variables of a URI that fits, else `undefined`. */
  match: UriMatcher;
  read(variables: Record<string, string>, context: McpCallContext): unknown;
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
  readonly templates: ReadonlyMap<string, RegisteredTemplate>;
  readonly prompts: ReadonlyMap<string, RegisteredPrompt>;
  /** By kind and name of what is completed, e.g. `ref/prompt summarize`. */
  readonly completers: ReadonlyMap<string, McpCompletionHandler>;
  /** `check` may throw to keep the tool, as lists will show it, from being registered. */
  addTool(definition: McpToolDefinition, check?: (name: string, listed: JsonObject) => void): void;
  /** A tool that only has a handler is listed by its name. */
  onToolCall(name: string, handler: McpToolHandler<Json>): void;
  addResource(definition: McpResourceDefinition, content: McpResourceContent | McpResourceHandler): void;
  addResourceTemplate(definition: McpResourceTemplateDefinition, handler: McpResourceTemplateHandler): void;
  addPrompt(definition: McpPromptDefinition, handler?: McpPromptHandler): void;
  onComplete(ref: McpCompletionRef, handler: McpCompletionHandler): void;
  clear(): void;
}

export function createRegistry(): Registry {
  const tools = new Map<string, RegisteredTool>();
  const resources = new Map<string, RegisteredResource>();
  const templates = new Map<string, RegisteredTemplate>();
  const prompts = new Map<string, RegisteredPrompt>();
  const completers = new Map<string, McpCompletionHandler>();
  return {
    tools,
    resources,
    templates,
    prompts,
    completers,
    addTool(given, check = () => {}) {
      const name = requireText("addTool", "name", given?.name);
      const definition = plainJson(`addTool("${name}")`, {
        ...given,
        inputSchema: given.inputSchema ?? { type: "object" },
      });
      check(name, definition);
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
      const definition = plainJson(who, given);
      if (typeof content === "function") {
        resources.set(uri, { definition, isListed: true, read: content });
        return;
      }
      const read = plainJson(who, content ?? {});
      if (typeof read.text !== "string" && typeof read.blob !== "string") {
        throw new TypeError(`${who}: the content must be { text } or { blob } (base64), got ${JSON.stringify(read)}`);
      }
      resources.set(uri, { definition, isListed: true, read: () => read });
    },
    addResourceTemplate(given, handler) {
      const template = requireText("addResourceTemplate", "uriTemplate", given?.uriTemplate);
      const who = `addResourceTemplate("${template}")`;
      requireText(who, "name", given.name);
      requireFunction(who, handler);
      templates.set(template, {
        definition: plainJson(who, given),
        match: createUriMatcher(template),
        read: handler,
      });
    },
    addPrompt(given, handler) {
      const name = requireText("addPrompt", "name", given?.name);
      const who = `addPrompt("${name}")`;
      if (handler !== undefined) requireFunction(who, handler);
      const required = (given.arguments ?? []).filter((argument) => argument.required).map((argument) => argument.name);
      prompts.set(name, { name, definition: plainJson(who, given), required, handler: handler ?? null });
    },
    onComplete(ref, handler) {
      const [kind, name] = "prompt" in ref ? ["ref/prompt", ref.prompt] : ["ref/resource", ref.template];
      requireText("onComplete", "prompt or template", name);
      requireFunction(`onComplete("${name}")`, handler);
      completers.set(`${kind} ${name}`, handler);
    },
    clear() {
      for (const registered of [tools, resources, templates, prompts, completers]) registered.clear();
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
