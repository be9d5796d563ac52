import * as z from "zod/mini";
import { json } from "../files/schema.ts";
import type { Json } from "../json.ts";
import { commandRun } from "./command-run.ts";
import type { CommandFacts } from "./facts.ts";

/** What every line of a log tells. */
interface LoggedEvent {
  v: 1;
  /** Counts the lines of one writer, from 1. */
  seq: number;
  /** When the event began, ISO 8601. */
  time: string;
  server: string | null;
  testId: string | null;
  /** The tool's or command's name; `null` for events that concern neither. */
  tool: string | null;
  args: Json;
  outcome: string | null;
  entryId: string | null;
  result: Json;
  error: { code: number; message: string; data?: Json | undefined } | null;
  isError: boolean;
  durationMs: number;
  /** Index of the expectation that took the call, from 0. */
  expectation: number | null;
  /** Only on requests whose arguments are not what the tool or prompt declares: how. */
  warnings?: string[] | undefined;
}

/** What a line tells of a command's run beside that. */
type LoggedCommand = Omit<CommandFacts, "argv" | "outcome" | "entryId" | "startedAt" | "durationMs"> & {
  argv: string[];
};

/** One line of the log: an MCP call, a command's run, a verdict or the like. Source: scripting sheet, 3. */
export type LogLine =
  | (LoggedEvent & { kind: "tool_call" | "resource_read" | "prompt_get" | "finalize" | "session" | "error" })
  | (LoggedEvent & LoggedCommand & { kind: "cli" });

const facts = {
  v: z.literal(1),
  seq: z.int(),
  time: z.string(),
  server: z.nullable(z.string()),
  testId: z.nullable(z.string()),
  tool: z.nullable(z.string()),
  args: json,
  outcome: z.nullable(z.string()),
  entryId: z.nullable(z.string()),
  result: json,
  error: z.nullable(z.object({ code: z.number(), message: z.string(), data: z.optional(json) })),
  isError: z.boolean(),
  durationMs: z.number(),
  expectation: z.nullable(z.int()),
  warnings: z.optional(z.array(z.string())),
};

export const logLine: z.ZodMiniType<LogLine> = z.discriminatedUnion("kind", [
  z.object({
    ...facts,
    kind: z.enum(["tool_call", "resource_read", "prompt_get", "finalize", "session", "error"]),
  }),
  z.object({ ...facts, kind: z.literal("cli"), ...commandRun }),
]);

/** A line as its maker gives it: the writer counts it. */
export type NewLogLine = LogLine extends infer Line ? (Line extends LogLine ? Omit<Line, "v" | "seq"> : never) : never;
