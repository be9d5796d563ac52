import type { Verdict } from "../fakes/expectations.ts";
import { isJsonObject, type Json } from "../json.ts";
import type { CommandFacts } from "./facts.ts";
import type { Journal, JournalRecord } from "./journal.ts";
import type { JsonlWriter } from "./jsonl.ts";
import type { NewLogLine } from "./log-line.ts";

/** Where a journal is logged to. */
export interface JournalLog {
  /** Name of the MCP server at a mount. */
  serverAt(mount: string): string;
  readonly writer: JsonlWriter<NewLogLine>;
  /** Told once, of the first line that could not be written; the server goes on without its log. */
  failed(error: unknown): void;
}

/** Writes a line for each tool call, read, prompt, session and crash, before its answer leaves. Source: scripting sheet, 3. */
export function logJournal(journal: Journal, { serverAt, writer, failed }: JournalLog): void {
  const stop = journal.subscribe((record) => {
    const line = lineOf(record, serverAt);
    if (line === null) return;
    try {
      writer.write(line);
    } catch (error) {
      stop();
      failed(error);
    }
  });
}

/** The line of a verdict that nobody asked for. */
export function verdictLine(
  verdict: Verdict,
  { server, testId }: { server: string; testId: string | null },
): NewLogLine {
  return {
    ...NOTHING,
    kind: "finalize",
    time: new Date().toISOString(),
    server,
    testId,
    result: verdict,
    isError: !verdict.met,
    durationMs: 0,
  };
}

// --- internal ---

const NOTHING = {
  tool: null,
  args: null,
  outcome: null,
  entryId: null,
  result: null,
  error: null,
  expectation: null,
} as const;

function lineOf(record: JournalRecord, serverAt: (mount: string) => string): NewLogLine | null {
  const { mcp, testId, durationMs } = record;
  const time = new Date(record.timestamp).toISOString();
  if (record.command !== null) return commandLine(record.command, testId);
  if (mcp === null) {
    if (record.error === null) return null;
    const error = { code: record.status, message: record.error };
    return { ...NOTHING, kind: "error", time, server: null, testId, durationMs, error, isError: true };
  }
  const facts = { ...NOTHING, time, server: serverAt(mcp.mount), testId, durationMs };
  if (mcp.call !== undefined) {
    const { tool, args, outcome, entryId, result, error, expectation = null, warnings } = mcp.call;
    const isError = error !== null || result?.isError === true;
    if (outcome === "verdict")
      return { ...facts, kind: "finalize", result: result?.structuredContent ?? null, isError };
    const call = { tool, args, outcome, entryId, result, error, isError, expectation };
    return { ...facts, kind: "tool_call", ...call, ...told(warnings) };
  }
  const kind = KINDS[mcp.method];
  if (kind === undefined) return null;
  const { outcome = null, entryId = null } = mcp.read ?? mcp.prompt ?? {};
  const answered = answerOf(record.answer);
  const isError = answered.error !== null;
  return { ...facts, kind, args: mcp.params, outcome, entryId, ...answered, isError, ...told(mcp.prompt?.warnings) };
}

function told(warnings: readonly string[] | undefined): Pick<NewLogLine, "warnings"> {
  return warnings === undefined ? {} : { warnings: [...warnings] };
}

function commandLine(
  { startedAt, durationMs, outcome, entryId, ...run }: CommandFacts,
  testId: string | null,
): NewLogLine {
  const facts = { ...NOTHING, time: new Date(startedAt).toISOString(), server: null, testId, durationMs };
  const args = { argv: [...run.argv] };
  const isError = run.exitCode !== 0;
  return { ...facts, kind: "cli", tool: run.command, args, outcome, entryId, isError, ...run, argv: args.argv };
}

/** The methods beside `tools/call` that a log tells of. */
const KINDS: Readonly<Record<string, "resource_read" | "prompt_get" | "session">> = {
  "resources/read": "resource_read",
  "prompts/get": "prompt_get",
  initialize: "session",
};

function answerOf(message: Json): Pick<NewLogLine, "result" | "error"> {
  if (!isJsonObject(message)) return { result: null, error: null };
  const { result = null, error } = message;
  return { result, error: isJsonObject(error) ? { code: Number(error.code), message: String(error.message) } : null };
}
