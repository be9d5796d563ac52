import { DEFAULT_TEST_ID } from "../journal/journal.ts";

/** A JSON Schema (2020-12), as the OpenAPI document holds it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** An object with exactly these members; a name that ends in `?` may be left out. */
export function object(members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const named = Object.entries(members).map(([name, schema]) => ({
    name: name.replace(/\?$/, ""),
    isRequired: !name.endsWith("?"),
    schema,
  }));
  return {
    type: "object",
    properties: Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
    required: named.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

export function list(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}

export const TEXT: JsonSchema = { type: "string" };
export const COUNT: JsonSchema = { type: "integer", minimum: 0 };
export const YES: JsonSchema = { const: true };
export const ANY: JsonSchema = {};
const NUMBER: JsonSchema = { type: "number" };
export const BOOLEAN: JsonSchema = { type: "boolean" };
const OBJECT: JsonSchema = { type: "object" };

/** What a fixture file holds: `schema/fakes.schema.json`, which the document has among its components. */
export const FIXTURE_FILE: JsonSchema = { $ref: "#/components/schemas/fixtureFile" };

/** What every refused control request is answered. */
export const ERROR = object({ error: TEXT, "details?": list(OBJECT) });

export const ADDED_BLOCK = object({ mount: TEXT, blockId: TEXT });

export const WARNING = object({
  file: orNull(TEXT),
  blockId: orNull(TEXT),
  entryId: orNull(TEXT),
  message: TEXT,
});

const RPC_ERROR = object({ code: NUMBER, message: TEXT, "data?": ANY });

/** A tool, resource or prompt under its kind: one of them is there. */
const TARGET = { "tool?": TEXT, "resource?": TEXT, "prompt?": TEXT };

const NEAR_MISS = object({ entryId: TEXT, ...TARGET, reasons: list(object({ kind: TEXT, text: TEXT })) });

/** How a request for a target ended. */
const END = {
  mount: TEXT,
  outcome: TEXT,
  entryId: orNull(TEXT),
  result: orNull(OBJECT),
  error: orNull(RPC_ERROR),
  "expectation?": COUNT,
  "nearMiss?": NEAR_MISS,
  "fault?": TEXT,
};

const CALL = { tool: TEXT, args: ANY, ...END, "warnings?": list(TEXT) };
const READ = { resource: TEXT, ...END };
const PROMPT = { prompt: TEXT, args: ANY, ...END, "warnings?": list(TEXT) };

const MODEL = {
  provider: TEXT,
  outcome: TEXT,
  closest: orNull(object({ fixtureId: TEXT, differences: list(TEXT) })),
  said: { ...OBJECT, description: "What the model said, the same for every provider." },
};

/** One run of a command. */
export const COMMAND_RUN = {
  command: TEXT,
  argv: list(TEXT),
  stdin: TEXT,
  stdout: TEXT,
  stderr: TEXT,
  "stdoutBase64?": TEXT,
  "stderrBase64?": TEXT,
  exitCode: orNull({ type: "integer" }),
  outcome: TEXT,
  entryId: orNull(TEXT),
  startedAt: NUMBER,
  durationMs: NUMBER,
} satisfies Record<string, JsonSchema>;

export const JOURNAL_ENTRY = object({
  id: TEXT,
  timestamp: { ...NUMBER, description: "Milliseconds since the epoch." },
  method: TEXT,
  path: TEXT,
  headers: { type: "object", additionalProperties: TEXT },
  body: { description: "The request as parsed; a mark in its place when it is over 64 KB; null when it is not kept." },
  service: TEXT,
  "testId?": {
    ...TEXT,
    description: `\`${DEFAULT_TEST_ID}\` when none was sent; absent when the identity was refused.`,
  },
  "context?": orNull(TEXT),
  response: object({
    status: COUNT,
    fixture: { description: "The scripted turn that answered." },
    "source?": { enum: ["fixture", "internal"] },
    "mcpFake?": object({ id: orNull(TEXT), outcome: TEXT }),
    "error?": TEXT,
    "refused?": TEXT,
  }),
  answer: { description: "The message that was answered; null when none was." },
  attempt: orNull(COUNT),
  durationMs: NUMBER,
  mcp: orNull(
    object({
      method: TEXT,
      params: ANY,
      mount: TEXT,
      client: orNull(TEXT),
      "call?": object(CALL),
      "read?": object(READ),
      "prompt?": object(PROMPT),
      "fault?": { ...TEXT, description: "The fault of the server that befell the request." },
    }),
  ),
  "model?": object(MODEL),
  "command?": object(COMMAND_RUN),
});

const FAKED = { mount: TEXT, ...TARGET };
const ASKED = { ...FAKED, "args?": ANY };
const MATCH = { "args?": OBJECT, "anyArgs?": YES, "when?": OBJECT };

/** Whether expectations were met. */
export const VERDICT = object({
  met: BOOLEAN,
  missed: list(object({ tool: TEXT, when: OBJECT, min: COUNT, used: COUNT })),
  unexpected: list(object({ tool: TEXT, args: ANY, reason: TEXT })),
  outOfOrder: list(object({ tool: TEXT, args: ANY, expectation: COUNT, expected: TEXT })),
});

const UNUSED_FAULT = object({
  faultId: TEXT,
  mount: TEXT,
  file: TEXT,
  method: TEXT,
  "tool?": TEXT,
  "callIndex?": COUNT,
  "fault?": { ...TEXT, description: "Absent when the answer was only to be late." },
  requests: { ...COUNT, description: "How many of the requests that it waits for came." },
});

/** A request that was refused; without a target when its path is what nothing serves. */
const REFUSED = { ...TARGET, path: TEXT, status: COUNT, reason: TEXT };

export const REPORT = object({
  testId: orNull(TEXT),
  context: orNull(TEXT),
  ok: BOOLEAN,
  evicted: BOOLEAN,
  served: list(object({ entryId: TEXT, ...ASKED })),
  unconsumed: list(object({ entryId: TEXT, ...FAKED, file: TEXT, ...MATCH, "used?": COUNT, "min?": COUNT })),
  unusedFaults: list(UNUSED_FAULT),
  unfaked: list(object({ ...ASKED, answeredBy: TEXT, "reason?": TEXT, "nearMiss?": NEAR_MISS })),
  failures: list(object({ code: TEXT, ...ASKED, "nearMiss?": NEAR_MISS })),
  refused: list(object(REFUSED)),
  warnings: list(object({ mount: TEXT, "tool?": TEXT, "prompt?": TEXT, args: ANY, message: TEXT })),
  sharedUnconsumed: list(object({ entryId: TEXT, ...FAKED })),
  modelFailures: list(object({ outcome: TEXT, model: TEXT, message: TEXT })),
  unasked: list(object({ fixtureId: TEXT, match: OBJECT })),
});

const TIME = { startedAt: NUMBER, durationMs: NUMBER };

export const TOOL_CALL = object({ ...CALL, ...TIME });
export const RESOURCE_READ = object({ ...READ, ...TIME });
export const PROMPT_USE = object({ ...PROMPT, ...TIME });

/** A tool call without an answer. */
export const PENDING_CALL = object({ mount: TEXT, tool: TEXT, args: ANY, startedAt: NUMBER });

export const MODEL_TURN = object({
  ...MODEL,
  request: ANY,
  fixtureId: orNull(TEXT),
  startedAt: NUMBER,
  durationMs: NUMBER,
});

export const ANNOUNCEMENT = object({
  testId: { type: "string", minLength: 1 },
  file: TEXT,
  names: { ...list(TEXT), minItems: 1 },
  attempt: { type: "integer", minimum: 1 },
  "project?": { ...TEXT, description: "Which project of the run: another one's test of the same id gets a number." },
});

export const SKIPPED_TEST = object({ testId: { type: "string", minLength: 1 }, names: { ...list(TEXT), minItems: 1 } });

export const STRAY_CALL = object({
  url: TEXT,
  tool: orNull(TEXT),
  "resource?": TEXT,
  "prompt?": TEXT,
  "model?": TEXT,
  client: orNull(TEXT),
  testId: orNull(TEXT),
  timestamp: NUMBER,
});

export const REFUSED_CALL = object({ ...REFUSED, testId: TEXT });

export const ANNOUNCED_TEST = object({
  testId: TEXT,
  file: TEXT,
  names: list(TEXT),
  attempt: COUNT,
  "project?": TEXT,
  state: { enum: ["running", "ended"] },
  startedAt: NUMBER,
  endedAt: orNull(NUMBER),
  report: orNull(REPORT),
  calls: COUNT,
});

const SCOPE: JsonSchema = { anyOf: [{ const: "shared" }, object({ "testId?": TEXT, "context?": TEXT })] };

const USAGE = { file: orNull(TEXT), scope: SCOPE, optional: BOOLEAN, uses: COUNT };

/** How often entries and scripted turns answered, and faults came. */
export const USED_ENTRY = object({ entryId: TEXT, mount: TEXT, ...USAGE });
export const USED_FAULT = object({ faultId: TEXT, mount: TEXT, ...USAGE });
export const USED_TURN = object({ fixtureId: TEXT, ...USAGE });

export const LISTED_FIXTURE = object({
  index: COUNT,
  id: TEXT,
  match: OBJECT,
  responseKind: TEXT,
  scope: SCOPE,
  "latency?": NUMBER,
});

const ENTRIES = list(object({ id: TEXT, ...MATCH, consumed: BOOLEAN }));

export const BLOCK_SNAPSHOT = object({
  blockId: TEXT,
  source: TEXT,
  mount: TEXT,
  scope: SCOPE,
  undeclaredTools: { enum: ["allow", "deny"] },
  evicted: BOOLEAN,
  tools: list(object({ name: TEXT, entries: ENTRIES })),
  "resources?": list(object({ uri: TEXT, entries: ENTRIES })),
  "prompts?": list(object({ name: TEXT, entries: ENTRIES })),
});
