import type { McpFakeAnswer, McpFakeBlock, McpFakeCall, McpFakeTool } from "../fixtures/types.ts";
import { canonicalText, isJsonObject, type Json, type JsonObject } from "../json.ts";
import type { Cassette } from "./cassette.ts";
import type { CassetteExchange } from "./cassette-line.ts";
import { toldBy } from "./recorder.ts";

// Fixtures that answer what was recorded, byte for byte. Source: scripting sheet, 4.

/** A fixture of the mock dialect. Each recorded call answers once, in order; equal calls after that get the last answer. */
export function toMockFixture(cassette: Cassette): JsonObject {
  const { serverInfo, instructions } = toldBy(cassette);
  const { name, version } = serverInfo;
  const expectations = callsOf(cassette).map(({ tool, args, exchange }) => ({
    tool,
    when: { args, exact: true },
    min: 0,
    max: 1,
    response: mockAnswer(exchange),
  }));
  const listed = listOf(cassette, "tools");
  const known = new Set(listed.map((tool) => tool.name));
  const unlisted = [...new Set(expectations.map(({ tool }) => tool))].filter((tool) => !known.has(tool));
  return {
    schemaVersion: 1,
    server: { name, version, ...(instructions === null ? {} : { instructions }) },
    mode: "passthrough",
    tools: [...listed.map(withKnownKeys(TOOL_KEYS)), ...unlisted.map((tool) => ({ name: tool }))],
    ...filled("resources", resourcesOf(cassette)),
    ...filled("prompts", promptsOf(cassette)),
    expectations,
  };
}

/** A file with a block of `mcpFakes` for one test. */
export function toFakes(cassette: Cassette, testId: string): { mcpFakes: McpFakeBlock } {
  const tools = new Map<string, McpFakeCall[]>();
  for (const { tool, args, exchange } of callsOf(cassette)) {
    tools.set(tool, [...(tools.get(tool) ?? []), { args, ...fakeAnswer(exchange) }]);
  }
  const definitions = new Map(listOf(cassette, "tools").map((tool) => [tool.name, tool]));
  return {
    mcpFakes: {
      scope: { testId },
      tools: [...tools].map(([name, calls]): McpFakeTool => {
        const { description, inputSchema } = definitions.get(name) ?? {};
        return {
          name,
          ...(typeof description === "string" ? { description } : {}),
          ...(inputSchema !== undefined && isJsonObject(inputSchema) ? { inputSchema } : {}),
          calls,
        };
      }),
    },
  };
}

/** A fixture of commands: equal runs of a command answer in the order recorded, the last one on. */
export function toCliFixture({ runs }: Cassette): JsonObject {
  const commands = new Map<string, Json[]>();
  for (const { command, argv, stdin, stdout, stderr, exitCode } of runs) {
    const when = { args: argv, exact: true, ...(stdin === "" ? {} : { stdinMatch: `^${escapePattern(stdin)}$` }) };
    const answer = { when, stdout, stderr, exitCode: exitCode ?? 1 };
    const known = commands.get(command) ?? [];
    if (!known.some((each) => canonicalText(each) === canonicalText(answer))) known.push(answer);
    commands.set(command, known);
  }
  return { commands: Object.fromEntries([...commands].map(([name, responses]) => [name, { responses }])) };
}

// --- internal ---

interface RecordedCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly exchange: CassetteExchange;
}

function callsOf({ exchanges }: Cassette): RecordedCall[] {
  return exchanges.flatMap((exchange) => {
    const params = isJsonObject(exchange.params) ? exchange.params : {};
    if (exchange.method !== "tools/call" || typeof params.name !== "string") return [];
    const args = params.arguments !== undefined && isJsonObject(params.arguments) ? params.arguments : {};
    return [{ tool: params.name, args, exchange }];
  });
}

/** The items of a list, over all its recorded pages, each once. */
function listOf({ exchanges }: Cassette, family: "tools" | "resources" | "prompts"): JsonObject[] {
  const items = new Map<string, JsonObject>();
  for (const { method, result } of exchanges) {
    const page = method === `${family}/list` && result !== undefined && isJsonObject(result) ? result[family] : [];
    for (const item of Array.isArray(page) ? page : []) {
      if (isJsonObject(item)) items.set(String(item.uri ?? item.name), item);
    }
  }
  return [...items.values()];
}

const TOOL_KEYS = ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta"];
const SHARED_KEYS = ["name", "title", "description", "annotations", "icons", "_meta"];

function withKnownKeys(keys: readonly string[]): (item: JsonObject) => JsonObject {
  return (item) => Object.fromEntries(Object.entries(item).filter(([key]) => keys.includes(key)));
}

const ANSWER_KEYS = ["content", "structuredContent", "isError", "_meta"];

function mockAnswer({ result, error }: CassetteExchange): JsonObject {
  if (error !== undefined) return { error: errorOf(error) };
  return withKnownKeys(ANSWER_KEYS)(result !== undefined && isJsonObject(result) ? result : {});
}

function fakeAnswer({ result, error }: CassetteExchange): McpFakeAnswer {
  if (error === undefined) return { result: result !== undefined && isJsonObject(result) ? result : {} };
  return { protocolError: errorOf(error) };
}

function errorOf({ code, message, data }: NonNullable<CassetteExchange["error"]>) {
  return data === undefined ? { code, message } : { code, message, data };
}

/** Resources that were read, as they were read first. */
function resourcesOf(cassette: Cassette): JsonObject[] {
  const listed = new Map(listOf(cassette, "resources").map((resource) => [resource.uri, resource]));
  const read = new Map<string, JsonObject>();
  for (const { method, params, result } of cassette.exchanges) {
    const uri = isJsonObject(params) ? params.uri : undefined;
    const contents = result !== undefined && isJsonObject(result) ? result.contents : undefined;
    const [first] = Array.isArray(contents) ? contents : [];
    if (method !== "resources/read" || typeof uri !== "string" || first === undefined || !isJsonObject(first)) continue;
    const definition = withKnownKeys([...SHARED_KEYS, "mimeType", "size"])(listed.get(uri) ?? { name: uri });
    const content = typeof first.text === "string" ? { text: first.text } : { blob: String(first.blob) };
    if (!read.has(uri)) read.set(uri, { uri, ...definition, ...content });
  }
  return [...read.values()];
}

/** Prompts that were fetched, as they were fetched first. */
function promptsOf(cassette: Cassette): JsonObject[] {
  const listed = new Map(listOf(cassette, "prompts").map((prompt) => [prompt.name, prompt]));
  const fetched = new Map<string, JsonObject>();
  for (const { method, params, result } of cassette.exchanges) {
    const name = isJsonObject(params) ? params.name : undefined;
    if (method !== "prompts/get" || typeof name !== "string" || result === undefined || !isJsonObject(result)) continue;
    const definition = withKnownKeys([...SHARED_KEYS, "arguments"])(listed.get(name) ?? { name });
    if (!fetched.has(name)) fetched.set(name, { ...definition, messages: result.messages ?? [] });
  }
  return [...fetched.values()];
}

function filled(key: string, items: JsonObject[]): JsonObject {
  return items.length === 0 ? {} : { [key]: items };
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
