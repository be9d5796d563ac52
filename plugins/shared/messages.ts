import { control } from "../../src/control/client.ts";
import type { Fact } from "../../src/fakes/fact.ts";
import type { JournalEntry } from "../../src/journal/entry.ts";
import type { CommandFacts } from "../../src/journal/facts.ts";
import type { PromptUse, ResourceRead, ToolCall } from "../../src/journal/report.ts";
import type { RunningTest } from "./current-test.ts";
import { askNow } from "./sync-client.ts";

/** The MCP messages of a test's running attempt, oldest first. */
export function messagesOf({ id, attempt }: RunningTest): readonly JournalEntry[] {
  const entries = askNow(control.journal({ testId: id, service: "mcp" }));
  return entries.filter((entry) => entry.attempt === attempt);
}

/** The runs of commands in a test's running attempt, oldest first. */
export function commandsOf({ id, attempt }: RunningTest): readonly CommandFacts[] {
  const entries = askNow(control.journal({ testId: id, service: "cli" }));
  return entries.filter((entry) => entry.attempt === attempt).flatMap(({ command }) => command ?? []);
}

/** The tool call that a message made, if it made one. */
export function toCalls({ mcp, timestamp, durationMs }: JournalEntry): ToolCall[] {
  return mcp?.call === undefined ? [] : [{ ...mcp.call, startedAt: timestamp, durationMs }];
}

/** The resource that a message read, if it read one. */
export function toReads({ mcp, timestamp, durationMs }: JournalEntry): ResourceRead[] {
  return mcp?.read === undefined ? [] : [{ ...mcp.read, startedAt: timestamp, durationMs }];
}

/** The prompt that a message fetched, if it fetched one. */
export function toPrompts({ mcp, timestamp, durationMs }: JournalEntry): PromptUse[] {
  return mcp?.prompt === undefined ? [] : [{ ...mcp.prompt, startedAt: timestamp, durationMs }];
}

/** What a message asked for, if it asked for a tool, a resource or a prompt. */
export function toFacts({ mcp }: JournalEntry): Fact[] {
  return [mcp?.call, mcp?.read, mcp?.prompt].filter((fact) => fact !== undefined);
}
