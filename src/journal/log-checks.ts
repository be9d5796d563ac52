import { isJsonObject, type Json } from "../json.ts";
import { nearestName } from "../nearest-name.ts";
import { isPartOf } from "../partial.ts";
import { showJson, showName, showPlain } from "../text.ts";
import type { LogLine } from "./log-line.ts";

/** What a check of a log found. */
export interface CheckResult {
  readonly ok: boolean;
  /** What was asked and what was seen, on one line: `tool "search" was called 2 times`. */
  readonly text: string;
}

/** How often something may happen: `2`, `>=2`, `<=2`. */
export interface Count {
  readonly relation: "=" | ">=" | "<=";
  readonly times: number;
}

/** The calls of tools and the runs of commands, which are checked alike. */
export function callsIn(lines: readonly LogLine[]): readonly LogLine[] {
  return lines.filter(({ kind }) => kind === "tool_call" || kind === "cli");
}

/** Fails for a log that tells of nothing, or not of this test: all else would be checked of lines that are not there. */
export function vacuousCheck(lines: readonly LogLine[], testId: string | null): CheckResult | null {
  if (lines.length === 0) return result(false, "the log tells of a run", "it is empty");
  if (testId === null || lines.some((line) => line.testId === testId)) return null;
  const told = lines.flatMap((line) => line.testId ?? []);
  const nearest = nearestName(new Set(told), testId);
  const seen = nearest === undefined ? "no line has a test id" : `no line of it; the closest is ${showName(nearest)}`;
  return result(false, `the log tells of test ${showName(testId)}`, seen);
}

export function checkCalled(lines: readonly LogLine[], tool: string): CheckResult {
  const count = callsOf(lines, tool).length;
  return result(count > 0, `${tool} was called`, count > 0 ? times(count) : `never; ${calledTools(lines)}`);
}

/** Passes when some call has these arguments among its own. */
export function checkCalledWith(lines: readonly LogLine[], tool: string, args: Json): CheckResult {
  const calls = callsOf(lines, tool);
  const wanted = `${tool} was called with ${showJson(args)}`;
  if (calls.length === 0) return result(false, wanted, `never called; ${calledTools(lines)}`);
  const fitting = calls.filter((call) => isPartOf(args, call.args));
  if (fitting.length > 0) return result(true, wanted, times(fitting.length));
  return result(false, wanted, `called with ${calls.map((call) => showJson(call.args)).join(", ")}`);
}

export function checkNotCalled(lines: readonly LogLine[], tool: string): CheckResult {
  const calls = callsOf(lines, tool);
  const seen =
    calls.length === 0 ? "never" : `${times(calls.length)}: ${calls.map((call) => showJson(call.args)).join(", ")}`;
  return result(calls.length === 0, `${tool} was not called`, seen);
}

export function checkCount(lines: readonly LogLine[], tool: string, { relation, times: wanted }: Count): CheckResult {
  const count = callsOf(lines, tool).length;
  const ok = relation === "=" ? count === wanted : relation === ">=" ? count >= wanted : count <= wanted;
  const words = { "=": "", ">=": "at least ", "<=": "at most " };
  return result(ok, `${tool} was called ${words[relation]}${times(wanted)}`, times(count));
}

/** Passes when these calls came in this order; others may stand between. */
export function checkOrder(lines: readonly LogLine[], tools: readonly string[]): CheckResult {
  const called = callsIn(lines).map((line) => line.tool ?? "");
  let next = 0;
  for (const tool of called) if (tool === tools[next]) next++;
  const seen = called.length === 0 ? "no call at all" : called.map(showPlain).join(", ");
  return result(next === tools.length, `calls came in the order ${tools.join(", ")}`, seen);
}

/** Passes when no call failed and no server reported an error. */
export function checkNoErrors(lines: readonly LogLine[]): CheckResult {
  const failed = lines.filter((line) => line.isError && line.kind !== "finalize");
  return result(
    failed.length === 0,
    "nothing failed",
    failed.length === 0 ? "no error" : failed.map(showError).join("; "),
  );
}

/** Passes when the last verdict of every test, in each run of a server that wrote the log, is a pass, and there is one. */
export function checkExpectationsMet(lines: readonly LogLine[]): CheckResult {
  const verdicts = new Map<string, LogLine>();
  let run = 0;
  for (const line of lines) {
    if (line.seq === 1 && line.kind !== "cli") run++; // a shim is a writer of its own, which gives no verdict
    if (line.kind === "finalize") verdicts.set(`${run} ${line.server} ${line.testId}`, line);
  }
  const wanted = "all expectations were met";
  if (verdicts.size === 0)
    return result(false, wanted, "no verdict; the server writes one when it is finalized or stops");
  const missed = [...verdicts.values()].filter((line) => line.isError);
  return result(missed.length === 0, wanted, missed.length === 0 ? "met" : missed.map(showVerdict).join("; "));
}

// --- internal ---

function result(ok: boolean, wanted: string, seen: string): CheckResult {
  return { ok, text: `${wanted} (seen: ${seen})` };
}

function callsOf(lines: readonly LogLine[], tool: string): readonly LogLine[] {
  return callsIn(lines).filter((line) => line.tool === tool);
}

function calledTools(lines: readonly LogLine[]): string {
  const tools = [...new Set(callsIn(lines).map((line) => line.tool ?? ""))];
  return tools.length === 0 ? "nothing was called" : `called were ${tools.map(showPlain).join(", ")}`;
}

function times(count: number): string {
  return count === 1 ? "1 time" : `${count} times`;
}

function showError(line: LogLine): string {
  const who = line.tool ?? line.kind;
  if (line.kind === "cli") return `${who} ended with ${line.exitCode === null ? "a signal" : `code ${line.exitCode}`}`;
  return `${who}: ${line.error?.message ?? showJson(line.result)}`;
}

function showVerdict(line: LogLine): string {
  const who = line.testId === null ? "" : `${showPlain(line.testId)}: `;
  if (!isJsonObject(line.result)) return `${who}not met`;
  const parts = Object.entries(line.result).filter(([, value]) => Array.isArray(value) && value.length > 0);
  return `${who}${parts.map(([key, value]) => `${key} ${showJson(value)}`).join(", ")}`;
}
