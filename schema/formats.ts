import * as z from "zod/mini";
import { fileObject, json } from "../src/files/schema.ts";
import * as parts from "../src/fixtures/entry-schema.ts";
import { fault, serverFaults } from "../src/fixtures/fault-schema.ts";
import { fixtureSchema, scopeSchema } from "../src/fixtures/llm-schema.ts";
import { mockFile } from "../src/fixtures/mock/schema.ts";
import { promptArguments } from "../src/fixtures/prompt.ts";
import { logLine } from "../src/journal/log-line.ts";
import { cliFile } from "../src/shims/schema.ts";
import { cassetteLine } from "../src/upstream/cassette-line.ts";
import { proxyFile } from "../src/upstream/schema.ts";

/** A file format and its JSON Schema, for editors. */
export interface Format {
  /** `schema/<name>.schema.json` */
  readonly name: string;
  readonly title: string;
  readonly schema: z.core.$ZodType;
}

/**
 * `mcpFakes` is checked by hand-written code, since its messages are part of the wire; here is its shape for editors. A
 * test holds the two to each other.
 */
const rest = {
  id: z.optional(z.string().check(z.minLength(1))),
  error: z.optional(z.string()),
  timeout: z.optional(z.literal(true)),
  protocolError: z.optional(parts.protocolError),
  fault: z.optional(fault),
  optional: z.optional(z.boolean()),
  times: z.optional(parts.times),
  delayMs: z.optional(parts.delayMs),
  steps: z.optional(parts.steps),
  unsafe: z.optional(z.literal(true)),
  state: z.optional(parts.state),
  setState: z.optional(parts.state),
};

/** A string, an array or an object: the forms of each kind of result are told by the loader. */
const result = z.optional(z.union([z.string(), z.array(json), parts.jsonObject]));

const call = z.strictObject({
  ...rest,
  args: z.optional(parts.jsonObject),
  anyArgs: z.optional(z.literal(true)),
  partialArgs: z.optional(parts.jsonObject),
  argsMatch: z.optional(parts.argsMatch),
  argsSchema: z.optional(parts.jsonObject),
  result,
});

const name = z.string().check(z.minLength(1));

const listed = {
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  icons: z.optional(z.array(parts.jsonObject)),
  _meta: z.optional(parts.jsonObject),
};

const tool = z.strictObject({
  name,
  ...listed,
  inputSchema: z.optional(parts.jsonObject),
  outputSchema: z.optional(parts.jsonObject),
  annotations: z.optional(parts.jsonObject),
  calls: z.array(call).check(z.minLength(1)),
});

const resource = z.strictObject({
  uri: name,
  name: z.optional(z.string()),
  ...listed,
  mimeType: z.optional(z.string()),
  size: z.optional(z.int()),
  annotations: z.optional(parts.jsonObject),
  reads: z.array(z.strictObject({ ...rest, result })).check(z.minLength(1)),
});

const prompt = z.strictObject({
  name,
  ...listed,
  arguments: z.optional(promptArguments),
  calls: z.array(call).check(z.minLength(1)),
});

const fakesBlock = z.strictObject({
  scope: scopeSchema,
  mount: z.optional(z.string().check(z.startsWith("/"))),
  undeclaredTools: z.optional(z.enum(["allow", "deny"])),
  faults: z.optional(serverFaults),
  tools: z.optional(z.array(tool)),
  resources: z.optional(z.array(resource).check(z.minLength(1))),
  prompts: z.optional(z.array(prompt).check(z.minLength(1))),
});

const fakesFile = fileObject({
  fixtures: z.optional(z.array(fixtureSchema)),
  fixturesScope: z.optional(scopeSchema),
  mcpFakes: z.optional(z.union([fakesBlock, z.array(fakesBlock).check(z.minLength(1))])),
});

/** Every file format of the package. To add one is to add a row. */
export const FORMATS: readonly Format[] = [
  { name: "fakes", title: "Scenario fakes and scripted model turns", schema: fakesFile },
  { name: "mock", title: "A mock MCP server", schema: mockFile },
  { name: "cli", title: "Scripted commands", schema: cliFile },
  { name: "proxy", title: "A proxy before a real MCP server", schema: proxyFile },
  { name: "cassette-line", title: "One line of a recording", schema: cassetteLine },
  { name: "log-line", title: "One line of a call log", schema: logLine },
];

/** A format's JSON Schema (2020-12) as the text of its file. */
export function schemaText({ title, schema }: Format): string {
  const generated = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    unrepresentable: "any",
    io: "input",
    reused: "ref",
  });
  const { $schema, ...rest } = generated;
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}
