import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { readJsonText } from "../files/positions.ts";
import { type ExitCode, type Terminal, UsageError } from "./command.ts";
import { type FileReview, type Remark, review } from "./review/review.ts";
import { testNamesOf } from "./review/run-tests.ts";

/** `mcp-fakes validate`: every error and warning of every file, offline. Source: product page, 8. */
export function describe(command: Command): Command {
  return command
    .argument("<paths...>", "fixture files and folders, fixtures of commands, proxy files")
    .option("--tests <json>", "the tests of a run, to find scopes that name none of them")
    .option("--strict", "warnings fail too")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ mcp-fakes validate ./fixtures
  $ vitest list --json > tests.json && mcp-fakes validate ./fixtures --tests tests.json --strict`,
    );
}

export async function run(
  values: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
  { stdout }: Terminal,
): Promise<ExitCode> {
  const cwd = process.cwd();
  const testNames = options.tests === undefined ? null : readTests(String(options.tests), cwd);
  const files = review(values.flat().map(String), { cwd, testNames });
  const counts = {
    files: files.length,
    fixtures: sum(files, ({ fixtures }) => fixtures),
    mcpFakeBlocks: sum(files, ({ mcpFakeBlocks }) => mcpFakeBlocks),
    errors: sum(files, ({ errors }) => errors.length),
    warnings: sum(files, ({ warnings }) => warnings.length),
  };
  const failed = counts.errors > 0 || (options.strict === true && counts.warnings > 0);
  if (options.json === true) stdout.write(`${JSON.stringify({ failed, files, run: counts })}\n`);
  else {
    const said = `${count(counts.files, "file")}: ${count(counts.errors, "error")}, ${count(counts.warnings, "warning")}`;
    stdout.write([...files.flatMap(linesOf), said, ""].join("\n"));
  }
  return failed ? 1 : 0;
}

// --- internal ---

function readTests(path: string, cwd: string): ReadonlySet<string> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`--tests: cannot read ${path}: ${error instanceof Error ? error.message : error}`);
  }
  const json = readJsonText(text);
  if ("problem" in json) throw new UsageError(`--tests: ${path}:${json.at.line}:${json.at.column}: ${json.problem}`);
  try {
    return testNamesOf(json.value, { cwd });
  } catch (error) {
    throw new UsageError(`--tests: ${path} ${error instanceof Error ? error.message : error}`);
  }
}

function linesOf(review: FileReview): string[] {
  const { file, errors, warnings } = review;
  const line = (kind: string) => (remark: Remark) =>
    `${file}:${remark.line}:${remark.column}: ${kind}: ${remark.message}`;
  const remarks = [...errors.map(line("error")), ...warnings.map(line("warning"))];
  if (errors.length > 0) return remarks;
  return [`${file}: OK (${holds(review)})`, ...remarks];
}

function holds({ kind, fixtures, mcpFakeBlocks }: FileReview): string {
  switch (kind) {
    case "fixtures":
      return `${fixtures} fixture(s), ${mcpFakeBlocks} mcpFakes block(s)`;
    case "commands":
      return "a fixture of commands";
    case "proxy":
      return "a proxy file";
  }
}

function sum(files: readonly FileReview[], of: (file: FileReview) => number): number {
  return files.reduce((total, file) => total + of(file), 0);
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
