import type { NewLogLine } from "../../src/journal/log-line.ts";

const FACTS = {
  time: "2026-01-02T03:04:05.000Z",
  server: "mock",
  testId: null,
  outcome: "answered",
  entryId: null,
  result: null,
  error: null,
  isError: false,
  durationMs: 1,
  expectation: null,
} as const;

/** A log line of one tool call. */
export function callLine(tool: string, args: NewLogLine["args"] = {}, more: Partial<NewLogLine> = {}): NewLogLine {
  return { ...FACTS, kind: "tool_call", tool, args, ...more } as NewLogLine;
}

/** A log line of a verdict. */
export function verdictLine(verdict: NewLogLine["result"], met: boolean): NewLogLine {
  return { ...FACTS, kind: "finalize", tool: null, args: null, outcome: null, result: verdict, isError: !met };
}

/** A log line of a command's run. */
export function cliLine(command: string, argv: string[], exitCode = 0): NewLogLine {
  const streams = { stdin: "", stdout: "", stderr: "" };
  const facts = { ...FACTS, isError: exitCode !== 0 };
  return { ...facts, kind: "cli", tool: command, args: { argv }, command, argv, ...streams, exitCode };
}
