import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { exampleOf } from "./example.ts";
import type { ServerLists } from "./read-server.ts";
import { upstreamOf } from "./source.ts";

/** A file that `init` writes. */
interface Template {
  /** What it is for. */
  readonly about: string;
  /** Where it goes when nothing else is said. */
  readonly file: string;
  readonly content: JsonObject;
  /** Which of the package's JSON Schemas describes it. */
  readonly schema: string;
  /** The same for a real server; `null` where there is none to ask. */
  readonly fromServer: ((lists: ServerLists, source: string) => JsonObject) | null;
  /** What to do with the file at `path` that holds `content`. */
  next(path: string, content: JsonObject): string;
}

export type FileKind = "fakes" | "server" | "proxy" | "cli";

/** Every kind of file. */
export const TEMPLATES: Readonly<Record<FileKind, Template>> = {
  fakes: {
    about: "tool answers for one test, and the model's turns",
    file: "./fixtures/example.json",
    schema: "fakes",
    content: {
      _comment:
        "`mcpFakes` are the tools' answers, for the test `weather › seattle` alone, whose id a client without a plugin sends as X-Test-Id: weather%20%E2%80%BA%20seattle; each call is answered once, in order. `fixtures` are the model's turns, for every test.",
      fixtures: [
        {
          match: { userMessage: "weather in Seattle", hasToolResult: false },
          response: { toolCalls: [{ name: "get_weather", arguments: { city: "Seattle" } }] },
        },
        {
          match: { userMessage: "weather in Seattle", hasToolResult: true },
          response: { content: "It is 60F and raining in Seattle." },
        },
      ],
      mcpFakes: {
        scope: { testId: "weather › seattle" },
        tools: [
          {
            name: "get_weather",
            description: "The weather of a city",
            inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
            calls: [
              { args: { city: "Seattle" }, result: { tempF: 60, conditions: "rain" } },
              { id: "anything-else", anyArgs: true, error: "no such city", optional: true },
            ],
          },
        ],
      },
    },
    fromServer: fakesOf,
    next: serveForTest,
  },
  server: {
    about: "a whole mock server, for an agent that knows of no tests",
    file: "./mock.json",
    schema: "mock",
    content: {
      _comment:
        "Of a tool's responses the first that matches answers; then its sequence, call by call; then its default.",
      server: { name: "my-mock", version: "1.0.0" },
      tools: [
        {
          name: "search_issues",
          description: "Search the issues of a repository",
          inputSchema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
          responses: [
            { when: { argsMatch: { query: "(?i)good first issue" } }, text: "Found #101, #102" },
            { when: { argsMatch: { query: "(?i)cve" } }, error: { code: -32003, message: "Access denied" } },
          ],
          default: { text: "No results." },
        },
      ],
    },
    fromServer: mockOf,
    next: (path) => `npx mcp-fakes serve ${path}`,
  },
  proxy: {
    about: "a real server with some of its tools scripted",
    file: "./proxy.json",
    schema: "proxy",
    content: {
      _comment: "A call that no response takes goes on to the real server, and so does everything else.",
      upstream: { command: "npx", args: ["-y", "@modelcontextprotocol/server-everything"] },
      overrides: { echo: { responses: [{ when: { args: { message: "delete all" } }, text: "MOCKED echo" }] } },
    },
    fromServer: proxyOf,
    next: (path) => `npx mcp-fakes proxy ${path} --stdio`,
  },
  cli: {
    about: "scripted commands in place of git, gh and others",
    file: "./cli-shims.json",
    schema: "cli",
    content: {
      _comment: "The first response whose words stand at the start answers. A command that is unavailable exits 127.",
      commands: {
        git: {
          responses: [
            { when: { args: ["log", "--oneline"] }, stdout: "abc123 first\n" },
            { when: { argsMatch: "^push" }, stderr: "denied\n", exitCode: 1 },
          ],
          default: { stdout: "" },
        },
        workiq: { unavailable: true },
      },
    },
    fromServer: null,
    next: (path) => `npx mcp-fakes make-shims ${path} ./shims && PATH="$PWD/shims:$PATH" git log --oneline`,
  },
};

/** How to serve a block that is for one test. */
function serveForTest(path: string, { mcpFakes }: JsonObject): string {
  const scope = mcpFakes !== undefined && isJsonObject(mcpFakes) ? mcpFakes.scope : undefined;
  const testId = scope !== undefined && isJsonObject(scope) ? String(scope.testId) : "";
  return `npx mcp-fakes serve ${path}
Its fakes are for the test "${testId}" alone. A client without a plugin says that it is the one with a header:
  X-Test-Id: ${encodeURIComponent(testId)}`;
}

/** A block with one call for each tool: arguments and results are examples of its schemas, to be replaced. */
function fakesOf({ tools }: ServerLists, source: string): JsonObject {
  return {
    _comment: `The tools of ${source}. The arguments and results are examples made from its schemas: replace them, and name your test in scope; a client without a plugin sends that id as X-Test-Id, percent-encoded.`,
    mcpFakes: {
      scope: { testId: "my suite › my test" },
      tools: tools.map(({ name, description, inputSchema, outputSchema }) => ({
        name,
        ...(description === undefined ? {} : { description }),
        inputSchema,
        calls: [{ args: exampleOf(inputSchema), result: resultOf(name, outputSchema), optional: true }],
      })),
    },
  };
}

function mockOf({ server, tools, resources, prompts }: ServerLists, source: string): JsonObject {
  return {
    _comment: `The lists of ${source}. The answers are examples made from its schemas: replace them.`,
    server,
    tools: tools.map(({ name, description, inputSchema, outputSchema }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      inputSchema,
      ...(outputSchema === undefined ? {} : { outputSchema }),
      default: answerOf(name, outputSchema),
    })),
    ...(resources.length === 0 ? {} : { resources: resources.map((each) => ({ ...each, text: "" })) }),
    ...(prompts.length === 0 ? {} : { prompts: prompts.map((each) => ({ ...each, messages: [] })) }),
  };
}

/** Every tool stands there without a response yet, so that all still goes to the server. */
function proxyOf({ tools }: ServerLists, source: string): JsonObject {
  return {
    _comment: `Calls of ${source}. Give a tool responses to answer it here; a call that none takes goes on to the server.`,
    upstream: upstreamOf(source),
    overrides: Object.fromEntries(tools.map(({ name }) => [name, { responses: [] }])),
  };
}

function resultOf(tool: string, outputSchema: JsonObject | undefined): Json {
  return outputSchema === undefined ? `answer of ${tool}` : exampleOf(outputSchema);
}

function answerOf(tool: string, outputSchema: JsonObject | undefined): JsonObject {
  return outputSchema === undefined ? { text: `answer of ${tool}` } : { structuredContent: exampleOf(outputSchema) };
}
