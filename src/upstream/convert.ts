import { escapeTemplate } from "../fakes/template.ts";
import { resultAnswer } from "../fixtures/entry-parts.ts";
import { promisesOf } from "../fixtures/served.ts";
import type { McpFakeAnswer, McpFakeBlock, McpFakeCall, McpFakeMatch, McpFakeTool } from "../fixtures/types.ts";
import type { CommandOutput } from "../journal/facts.ts";
import { canonicalText, isJsonObject, type Json, type JsonObject } from "../json.ts";
import type { Cassette } from "./cassette.ts";
import type { CassetteExchange } from "./cassette-line.ts";
import { toldBy } from "./recorder.ts";
import { holdsRedacted, patternOf, redactedArgs } from "./redacted-args.ts";

// Fixtures that answer what was recorded, byte for byte. Source: scripting sheet, 4.

/** A fixture of the mock dialect. Each recorded call answers once, in order; equal calls after that get the last answer. */
export function toMockFixture(cassette: Cassette): JsonObject {
  const { serverInfo, instructions } = toldBy(cassette);
  const { name, version } = serverInfo;
  const listed = listOf(cassette, "tools");
  const definitions = byName(listed);
  const expectations = callsOf(cassette).map((call) => ({
    tool: call.tool,
    when: whenOf(call.args),
    min: 0,
    max: 1,
    response: { ...escapeTemplate(mockAnswer(call.exchange)), ...unsafeOf(call, definitions) },
  }));
  const known = new Set(listed.map((tool) => tool.name));
  const unlisted = [...new Set(expectations.map(({ tool }) => tool))].filter((tool) => !known.has(tool));
  return {
    schemaVersion: 1,
    server: { name, version, ...(instructions === null ? {} : { instructions }) },
    mode: "passthrough",
    tools: [...listed.map(withKnownKeys(TOOL_KEYS)), ...unlisted.map((tool) => ({ name: tool }))],
    ...filled("resources", resourcesOf(cassette)),
    ...filled("resourceTemplates", templatesOf(cassette)),
    ...filled("prompts", promptsOf(cassette)),
    expectations,
  };
}

/** A file with a block of `mcpFakes` for one test. */
export function toFakes(cassette: Cassette, testId: string): { mcpFakes: McpFakeBlock } {
  const tools = new Map<string, McpFakeCall[]>();
  const definitions = byName(listOf(cassette, "tools"));
  for (const call of callsOf(cassette)) {
    const entry = { ...matchOf(call.args), ...fakeAnswer(call.exchange), ...unsafeOf(call, definitions) };
    tools.set(call.tool, [...(tools.get(call.tool) ?? []), entry]);
  }
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
  for (const { command, argv, stdin, exitCode, ...output } of runs) {
    const words = holdsRedacted(argv) ? { argsMatch: patternOf(argv.join(" ")) } : { args: argv, exact: true };
    const when = { ...words, ...(stdin === "" ? {} : { stdinMatch: patternOf(stdin) }) };
    const answer = { when, ...printed(output), exitCode: exitCode ?? 1 };
    const known = commands.get(command) ?? [];
    if (!known.some((each) => canonicalText(each) === canonicalText(answer))) known.push(answer);
    commands.set(command, known);
  }
  return { commands: Object.fromEntries([...commands].map(([name, responses]) => [name, { responses }])) };
}

/** How many exchanges a fixture says nothing of, by method; a replay answers them. */
export function leftOutOf({ exchanges }: Cassette, kind: "mock" | "fakes"): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { method, result } of exchanges) {
    if (isSaid(kind, method, result)) continue;
    counts.set(method, (counts.get(method) ?? 0) + 1);
  }
  return counts;
}

// --- internal ---

function isSaid(kind: "mock" | "fakes", method: string, result: Json | undefined): boolean {
  if (method === "tools/call" || method === "tools/list") return true;
  if (kind === "fakes" || method === "completion/complete") return false;
  if (method === "resources/read") return onlyContent(result) !== undefined;
  return method !== "prompts/get" || result !== undefined;
}

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
function listOf({ exchanges }: Cassette, family: keyof typeof LISTS): JsonObject[] {
  const { method: listing, key } = LISTS[family];
  const items = new Map<string, JsonObject>();
  for (const { method, result } of exchanges) {
    const page = method === listing && result !== undefined && isJsonObject(result) ? result[family] : [];
    for (const item of Array.isArray(page) ? page : []) {
      if (isJsonObject(item)) items.set(String(item[key]), item);
    }
  }
  return [...items.values()];
}

const LISTS = {
  tools: { method: "tools/list", key: "name" },
  resources: { method: "resources/list", key: "uri" },
  resourceTemplates: { method: "resources/templates/list", key: "uriTemplate" },
  prompts: { method: "prompts/list", key: "name" },
} as const;

const SHARED_KEYS = ["name", "title", "description", "annotations", "icons", "_meta"];
const TOOL_KEYS = [...SHARED_KEYS, "inputSchema", "outputSchema", "execution"];

function withKnownKeys(keys: readonly string[]): (item: JsonObject) => JsonObject {
  return (item) => Object.fromEntries(Object.entries(item).filter(([key]) => keys.includes(key)));
}

const ANSWER_KEYS = ["content", "structuredContent", "isError", "_meta"];

function byName(tools: readonly JsonObject[]): ReadonlyMap<string, JsonObject> {
  return new Map(tools.map((tool) => [String(tool.name), tool]));
}

/** These arguments alone, or what is known of them when secrets were taken out. */
function whenOf(args: JsonObject): JsonObject {
  const redacted = redactedArgs(args);
  if (redacted === null) return { args, exact: true };
  return { ...(redacted.args === null ? {} : { args: redacted.args }), argsMatch: redacted.argsMatch };
}

/** The same for a fake. */
function matchOf(args: JsonObject): McpFakeMatch {
  const redacted = redactedArgs(args);
  if (redacted === null) return { args };
  const { args: partialArgs, argsMatch } = redacted;
  return partialArgs === null ? { argsMatch } : { partialArgs, argsMatch };
}

/** Servers break their own promises, and clients call them wrong: what was recorded is answered all the same. */
function unsafeOf(
  { tool, args, exchange: { result } }: RecordedCall,
  definitions: ReadonlyMap<string, JsonObject>,
): { unsafe?: true } {
  const match = { kind: "args", args, key: "" } as const;
  const answer = resultAnswer(result !== undefined && isJsonObject(result) ? result : { isError: true });
  const breaches = promisesOf(definitions.get(tool) ?? {}).breaches({
    match,
    answer,
    fault: null,
    isTemplate: false,
    isUnsafe: false,
  });
  return breaches.length > 0 ? { unsafe: true } : {};
}

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

/** What was listed, and what was read beside it; each as it was read first. */
function resourcesOf(cassette: Cassette): JsonObject[] {
  const definitionOf = withKnownKeys([...SHARED_KEYS, "mimeType", "size"]);
  const read = new Map<string, JsonObject>();
  for (const { params, result } of cassette.exchanges.filter(({ method }) => method === "resources/read")) {
    const content = onlyContent(result);
    const uri = isJsonObject(params) ? params.uri : undefined;
    if (typeof uri === "string" && content?.uri === uri && !read.has(uri)) read.set(uri, content);
  }
  const listed = listOf(cassette, "resources").map((resource): JsonObject => {
    const uri = String(resource.uri);
    const content = read.get(uri);
    read.delete(uri);
    return { uri, ...definitionOf(resource), ...(content === undefined ? { readable: false } : saidIn(content)) };
  });
  const others = [...read].map(([uri, content]): JsonObject => ({ uri, name: uri, ...saidIn(content), listed: false }));
  return [...listed, ...others];
}

/** What a fixture can say of a reading: one content, of text or bytes. */
function onlyContent(result: Json | undefined): JsonObject | undefined {
  const contents = result !== undefined && isJsonObject(result) ? result.contents : undefined;
  const [first, ...more] = Array.isArray(contents) ? contents : [];
  return more.length === 0 && first !== undefined && isJsonObject(first) ? first : undefined;
}

function saidIn({ mimeType, text, blob }: JsonObject): JsonObject {
  return {
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(text === undefined ? { blob: String(blob) } : { text }),
  };
}

function templatesOf(cassette: Cassette): JsonObject[] {
  const definitionOf = withKnownKeys([...SHARED_KEYS, "mimeType"]);
  return listOf(cassette, "resourceTemplates").map((template) => ({
    uriTemplate: String(template.uriTemplate),
    ...definitionOf(template),
    readable: false,
  }));
}

/** What was listed or fetched; equal arguments get what was told first. */
function promptsOf(cassette: Cassette): JsonObject[] {
  const definitionOf = withKnownKeys([...SHARED_KEYS, "arguments"]);
  const prompts = new Map(listOf(cassette, "prompts").map((prompt) => [String(prompt.name), definitionOf(prompt)]));
  const responses = new Map<string, JsonObject[]>();
  for (const { method, params, result } of cassette.exchanges) {
    if (method !== "prompts/get" || !isJsonObject(params) || result === undefined || !isJsonObject(result)) continue;
    const { messages = [], ...told } = withKnownKeys(["description", "messages"])(result);
    const name = String(params.name);
    if (!prompts.has(name)) prompts.set(name, { name });
    const when = promptWhen(params.arguments);
    responses.set(name, [...(responses.get(name) ?? []), { when, ...told, messages: escapeTemplate(messages) }]);
  }
  return [...prompts].map(([name, prompt]) => ({ ...prompt, responses: responses.get(name) ?? [] }));
}

/** A prompt's arguments are texts; one that holds a secret is taken whatever it is. */
function promptWhen(recorded: Json | undefined): JsonObject {
  const given = recorded !== undefined && isJsonObject(recorded) ? recorded : {};
  const redacted = redactedArgs(given);
  return redacted === null ? { args: given, exact: true } : { args: redacted.args ?? {} };
}

function printed({ stdout, stderr, stdoutBase64, stderrBase64 }: CommandOutput): JsonObject {
  return {
    ...(stdoutBase64 === undefined ? { stdout } : { stdoutBase64 }),
    ...(stderrBase64 === undefined ? { stderr } : { stderrBase64 }),
  };
}

function filled(key: string, items: JsonObject[]): JsonObject {
  return items.length === 0 ? {} : { [key]: items };
}
