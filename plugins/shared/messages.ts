import { control } from "../../src/control/client.ts";
import type { JournalEntry } from "../../src/journal/entry.ts";
import type { CommandFacts } from "../../src/journal/facts.ts";
import type { ToolCall } from "../../src/journal/report.ts";
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
