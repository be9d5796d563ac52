import * as z from "zod/mini";
import { json } from "../files/schema.ts";
import { commandRun } from "./command-run.ts";

const facts = {
  v: z.literal(1),
  /** Counts the lines of one writer, from 1. */
  seq: z.int(),
  /** When the event began, ISO 8601. */
  time: z.string(),
  server: z.nullable(z.string()),
  testId: z.nullable(z.string()),
  /** The tool's or command's name; `null` for events that concern neither. */
  tool: z.nullable(z.string()),
  args: json,
  outcome: z.nullable(z.string()),
  entryId: z.nullable(z.string()),
  result: json,
  error: z.nullable(z.object({ code: z.number(), message: z.string(), data: z.optional(json) })),
  isError: z.boolean(),
  durationMs: z.number(),
  /** Index of the expectation that took the call, from 0. */
  expectation: z.nullable(z.int()),
};

/** One line of the log. Source: scripting sheet, 3. */
export const logLine = z.discriminatedUnion("kind", [
  z.object({
    ...facts,
    kind: z.enum(["tool_call", "resource_read", "prompt_get", "finalize", "session", "error"]),
  }),
  z.object({
    ...facts,
    kind: z.literal("cli"),
    ...commandRun,
  }),
]);

/** One line of the log: an MCP call, a command's run, a verdict or the like. */
export type LogLine = z.infer<typeof logLine>;

/** A line as its maker gives it: the writer counts it. */
export type NewLogLine = LogLine extends infer Line ? (Line extends LogLine ? Omit<Line, "v" | "seq"> : never) : never;
