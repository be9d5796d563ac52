import type { Json } from "../json.ts";
import { readLog } from "./jsonl.ts";
import {
  type CheckResult,
  callsIn,
  checkCalled,
  checkCalledWith,
  checkCount,
  checkExpectationsMet,
  checkNoErrors,
  checkNotCalled,
  checkOrder,
} from "./log-checks.ts";
import type { LogLine } from "./log-line.ts";

/**
 * Assertions over a call log, of MCP servers and commands alike. Each returns the log, so they chain, and throws a
 * `CallLogError` that says what was asked and what was seen. Source: seed, "Assertions".
 *
 * @example
 * CallLog.load("calls.jsonl")
 *   .assertToolCalled("search_issues")
 *   .assertToolCalledWith("search_issues", { query: "good first issue" })
 *   .assertCallCount("create_pull_request", 1)
 *   .assertToolNotCalled("delete_repo")
 *   .assertCallOrder("search_issues", "create_pull_request");
 */
export class CallLog {
  /** Every line, in the order of the file. */
  readonly lines: readonly LogLine[];
  /** Number of the last line when its writer was stopped in the middle of it, else `null`. */
  readonly tornLine: number | null;

  constructor(lines: readonly LogLine[], tornLine: number | null = null) {
    this.lines = lines;
    this.tornLine = tornLine;
  }

  /** Reads a log file. Throws an `Error` that names each line which is not one of a log. */
  static load(path: string): CallLog {
    const { lines, tornLine } = readLog(path);
    return new CallLog(lines, tornLine);
  }

  /** The calls of tools and runs of commands. */
  get calls(): readonly LogLine[] {
    return callsIn(this.lines);
  }

  /** The lines of one test. */
  ofTest(testId: string): CallLog {
    return new CallLog(
      this.lines.filter((line) => line.testId === testId),
      this.tornLine,
    );
  }

  assertToolCalled(tool: string): this {
    return this.#assert(checkCalled(this.lines, tool));
  }

  /** Some call has these arguments: all that are given, nested objects in part too, arrays whole. May be JSON text. */
  assertToolCalledWith(tool: string, args: Json): this {
    return this.#assert(checkCalledWith(this.lines, tool, typeof args === "string" ? JSON.parse(args) : args));
  }

  assertToolNotCalled(tool: string): this {
    return this.#assert(checkNotCalled(this.lines, tool));
  }

  assertCallCount(tool: string, times: number): this {
    return this.#assert(checkCount(this.lines, tool, { relation: "=", times }));
  }

  /** The tools were called in this order; other calls may stand between. */
  assertCallOrder(...tools: readonly string[]): this {
    return this.#assert(checkOrder(this.lines, tools));
  }

  /** No call failed and no server reported an error. */
  assertNoErrors(): this {
    return this.#assert(checkNoErrors(this.lines));
  }

  /** The last verdict of every test, in each run that wrote the log, is a pass, and there is one. */
  assertExpectationsMet(): this {
    return this.#assert(checkExpectationsMet(this.lines));
  }

  #assert({ ok, text }: CheckResult): this {
    if (ok) return this;
    throw new CallLogError(`Expected that ${text}\n${this.#shown()}`);
  }

  #shown(): string {
    const calls = this.calls.map(
      (line) => `  ${line.seq}. ${line.tool} ${JSON.stringify(line.args)} -> ${line.outcome}`,
    );
    return calls.length === 0 ? "The log holds no call." : `Calls in the log:\n${calls.join("\n")}`;
  }
}

/** A log that is not as asserted. */
export class CallLogError extends Error {
  override name = "CallLogError";
  readonly code = "MCP_FAKES_CALL_LOG";
}
