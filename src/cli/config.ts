import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as z from "zod/mini";
import { check, showProblem } from "../files/explain.ts";
import { readJsonText } from "../files/positions.ts";
import { fileObject, isUnique, json } from "../files/schema.ts";
import { serverFaults } from "../fixtures/fault-schema.ts";
import { toolSchema } from "../fixtures/mock/schema.ts";
import { readResult } from "../fixtures/result.ts";
import { base64Text, contentBlock } from "../fixtures/shaped-result.ts";
import { readInput } from "../input.ts";
import { LOG_LEVELS } from "../logger.ts";
import { CONTROL_PREFIX } from "../mcp/fake-mounts.ts";
import { CHANGEABLE_LIMITS, MODES } from "../options.ts";
import { UsageError } from "./command.ts";

const text = z.string().check(z.minLength(1));
const count = z.int().check(z.minimum(0));
const oneOrMore = <T extends z.core.$ZodType>(schema: T) => z.union([schema, z.array(schema)]);

const tool = fileObject({
  name: text,
  description: z.optional(z.string()),
  inputSchema: z.optional(toolSchema),
  result: z.optional(
    json.check((context) => {
      const read = readResult(readInput(context.value));
      if ("problem" in read) {
        const message = read.problem.replace(/^result /, "");
        context.issues.push({ code: "custom", input: context.value, message });
      }
    }),
  ),
});

const resource = fileObject({
  uri: text,
  name: text,
  description: z.optional(z.string()),
  mimeType: z.optional(z.string()),
  text: z.optional(z.string()),
  blob: z.optional(base64Text),
}).check(
  z.refine((each) => (each.text === undefined) !== (each.blob === undefined), "needs exactly one of text / blob"),
);

const prompt = fileObject({
  name: text,
  description: z.optional(z.string()),
  arguments: z.optional(
    z.array(fileObject({ name: text, description: z.optional(z.string()), required: z.optional(z.boolean()) })),
  ),
  messages: z.optional(z.array(fileObject({ role: z.enum(["user", "assistant"]), content: contentBlock }))),
});

const mcp = fileObject({
  path: z.optional(
    z.string().check(
      z.startsWith("/", { error: 'a text that starts with "/"' }),
      z.refine((path) => !path.startsWith(CONTROL_PREFIX), `is where the control API answers, ${CONTROL_PREFIX}`),
    ),
  ),
  serverInfo: z.optional(fileObject({ name: text, version: text })),
  tools: z.optional(z.array(tool).check(isUnique("name"))),
  resources: z.optional(z.array(resource).check(isUnique("uri"))),
  prompts: z.optional(z.array(prompt).check(isUnique("name"))),
  faults: z.optional(serverFaults),
});

/** Of two servers at one path, only one would answer. */
const hasOwnPaths = z.superRefine<readonly { readonly path?: string | undefined }[]>((servers, { addIssue }) => {
  const pathOf = ({ path = "/mcp" }: { readonly path?: string | undefined }) => path.replace(/(?<=.)\/$/, "");
  const paths = servers.map(pathOf);
  for (const [index, path] of paths.entries()) {
    if (paths.indexOf(path) === index) continue;
    addIssue({ code: "custom", message: `another server is at "${path}"`, path: [index, "path"], input: path });
  }
});

const limits = z.strictObject(
  Object.fromEntries(CHANGEABLE_LIMITS.map((name) => [name, z.optional(z.int().check(z.minimum(1)))])),
);

/** What a config file may hold. Source: the fakes seed, "Config File"; the fakes sheet, section 12. */
const configSchema = fileObject({
  port: z.optional(z.int().check(z.minimum(0), z.maximum(65_535))),
  host: z.optional(text),
  mode: z.optional(z.enum(MODES)),
  log: z.optional(text),
  watch: z.optional(z.boolean()),
  strict: z.optional(z.boolean()),
  metrics: z.optional(z.boolean()),
  logLevel: z.optional(z.enum(LOG_LEVELS)),
  journalMax: z.optional(count),
  fixtureCountsMax: z.optional(count),
  limits: z.optional(limits),
  fixtures: z.optional(oneOrMore(text)),
  llm: z.optional(
    fileObject({
      fixtures: z.optional(oneOrMore(text)),
      latency: z.optional(count),
      chunkSize: z.optional(z.int().check(z.minimum(1))),
      logLevel: z.optional(z.enum(LOG_LEVELS)),
    }),
  ),
  mcp: z.optional(z.union([mcp, z.array(mcp).check(hasOwnPaths)])),
});

/** An MCP server that a config file describes. */
export type McpConfig = z.infer<typeof mcp>;

/** A config file as it was read: options of the server, and what it serves. */
export interface Config
  extends Omit<z.infer<typeof configSchema>, "$schema" | "_comment" | "fixtures" | "llm" | "mcp"> {
  readonly latency?: number | undefined;
  readonly chunkSize?: number | undefined;
  /** Absolute paths. */
  readonly fixtures: readonly string[];
  readonly mcp: readonly McpConfig[];
}

/**
 * Reads a config file. Throws a `UsageError` that names the file and every problem in it, each with line and column.
 *
 * @example readConfig("mcp-fakes.config.json").mcp[0]?.tools
 */
export function readConfig(path: string): Config {
  const source = readJsonText(readText(path));
  if ("problem" in source) throw problemsOf([`${path}:${source.at.line}:${source.at.column}: ${source.problem}`]);
  const checked = check(configSchema, source.value);
  if (!checked.ok) {
    const lines = checked.problems.map((problem) => {
      const { line, column } = source.positionOf(problem.path);
      return `${path}:${line}:${column}: ${showProblem(problem)}`;
    });
    throw problemsOf(lines);
  }
  const { $schema, _comment, fixtures = [], llm = {}, mcp: servers = [], ...options } = checked.value;
  const { fixtures: more = [], latency, chunkSize, logLevel } = llm;
  return {
    ...options,
    logLevel: options.logLevel ?? logLevel,
    latency,
    chunkSize,
    fixtures: [fixtures, more].flat().map((each) => resolve(dirname(path), each)),
    mcp: [servers].flat(),
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`cannot read the config file ${path}: ${error instanceof Error ? error.message : error}`);
  }
}

function problemsOf(lines: readonly string[]): UsageError {
  return new UsageError(`the config file is wrong:\n${lines.map((line) => `  ${line}`).join("\n")}`);
}
