import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import { readLog } from "../journal/jsonl.ts";
import {
  type CheckResult,
  type Count,
  checkCalled,
  checkCalledWith,
  checkCount,
  checkExpectationsMet,
  checkNoErrors,
  checkNotCalled,
  checkOrder,
  vacuousCheck,
} from "../journal/log-checks.ts";
import type { LogLine } from "../journal/log-line.ts";
import type { Json } from "../json.ts";
import { type ExitCode, type Terminal, UsageError } from "./command.ts";

/** `mcp-fakes assert`: checks a log, prints a line for each check. Source: scripting sheet, 3. */
export function describe(command: Command): Command {
  for (const { flags, about } of CHECKS) command.addOption(checkOption(flags, about));
  return command
    .argument("<log>", "the JSONL file that --log or MOCKMCP_LOG named")
    .option("--test-id <id>", "look at the lines of this test only; a log without any fails")
    .option("--json", "print the results as JSON")
    .addHelpText(
      "after",
      `\nExample:\n  $ mcp-fakes assert calls.jsonl --tool-called search_issues --call-count "search_issues=2"`,
    );
}

export async function run(
  [path]: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
  { stdout, stderr }: Terminal,
): Promise<ExitCode> {
  const asked = CHECKS.flatMap(({ name, parse }) => valuesOf(options[name]).map(parse));
  if (asked.length === 0)
    throw new UsageError(`nothing to check: give one of ${CHECKS.map(({ flags }) => flags).join(", ")}`);
  const file = String(path);
  if (!existsSync(file)) throw new UsageError(`no such log: ${file}`);
  const { lines, tornLine } = readLog(file);
  if (tornLine !== null) stderr.write(`${file}: line ${tornLine} is torn and was skipped\n`);
  const testId = options.testId === undefined ? null : String(options.testId);
  const own = testId === null ? lines : lines.filter((line) => line.testId === testId);
  const vacuous = vacuousCheck(lines, testId);
  const results = [...(vacuous === null ? [] : [vacuous]), ...asked.map((check) => check(own))];
  stdout.write(options.json === true ? `${JSON.stringify(results)}\n` : results.map(showResult).join(""));
  return results.every(({ ok }) => ok) ? 0 : 1;
}

// --- internal ---

type Check = (lines: readonly LogLine[]) => CheckResult;

interface CheckRow {
  readonly flags: string;
  /** The option's name in what commander parsed. */
  readonly name: string;
  readonly about: string;
  parse(value: string): Check;
}

const CHECKS: readonly CheckRow[] = [
  {
    flags: "--tool-called <tool>",
    name: "toolCalled",
    about: "the tool or command was called",
    parse: (tool) => (lines) => checkCalled(lines, tool),
  },
  {
    flags: "--tool-called-with <tool={json}>",
    name: "toolCalledWith",
    about: "a call has these arguments among its own",
    parse(value) {
      const [tool, json] = splitAtEquals(value, '--tool-called-with takes TOOL={json}, e.g. search={"query":"cve"}');
      const args = parseArgs(json);
      return (lines) => checkCalledWith(lines, tool, args);
    },
  },
  {
    flags: "--tool-not-called <tool>",
    name: "toolNotCalled",
    about: "the tool or command was never called",
    parse: (tool) => (lines) => checkNotCalled(lines, tool),
  },
  {
    flags: "--call-count <tool=n>",
    name: "callCount",
    about: "called n times; also TOOL>=n and TOOL<=n",
    parse(value) {
      const [tool, count] = parseCount(value);
      return (lines) => checkCount(lines, tool, count);
    },
  },
  {
    flags: "--call-order <a,b,c>",
    name: "callOrder",
    about: "called in this order; others may stand between",
    parse: (value) => (lines) =>
      checkOrder(
        lines,
        value.split(",").map((tool) => tool.trim()),
      ),
  },
  // Commander reads `--no-errors` as `errors: false`.
  { flags: "--no-errors", name: "errors", about: "no call failed", parse: () => checkNoErrors },
  {
    flags: "--expectations-met",
    name: "expectationsMet",
    about: "the verdict is a pass",
    parse: () => checkExpectationsMet,
  },
];

/** An option may be given more than once; each is a check. A flag's value is an empty text. */
function checkOption(flags: string, about: string): Option {
  return new Option(flags, about)
    .argParser((value, before: readonly string[] = []) => [...before, value])
    .preset("")
    .default(flags.includes("<") ? undefined : []);
}

function valuesOf(option: unknown): readonly string[] {
  return Array.isArray(option) ? option.map(String) : [];
}

function splitAtEquals(value: string, usage: string): [string, string] {
  const at = value.indexOf("=");
  if (at <= 0) throw new UsageError(`${usage}; got ${value}`);
  return [value.slice(0, at), value.slice(at + 1)];
}

function parseArgs(text: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--tool-called-with: ${text} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function parseCount(value: string): [string, Count] {
  const [, tool, relation, times] = /^(.+?)(>=|<=|=)(\d+)$/.exec(value) ?? [];
  if (tool === undefined || !isRelation(relation)) {
    throw new UsageError(`--call-count takes TOOL=n, TOOL>=n or TOOL<=n; got ${value}`);
  }
  return [tool, { relation, times: Number(times) }];
}

function isRelation(text: string | undefined): text is Count["relation"] {
  return text === "=" || text === ">=" || text === "<=";
}
function showResult({ ok, text }: CheckResult): string {
  return `${ok ? "ok  " : "FAIL"} ${text}\n`;
}
