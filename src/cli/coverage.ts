import { existsSync } from "node:fs";
import type { Command } from "commander";
import { entriesOf } from "../fakes/reload.ts";
import { readFixtures } from "../fixtures/read.ts";
import { readLog } from "../journal/jsonl.ts";
import type { LogLine } from "../journal/log-line.ts";
import { type ExitCode, type Terminal, UsageError } from "./command.ts";
import { readFileBlocks } from "./review/file-blocks.ts";

/** `mcp-fakes coverage`: what the runs that wrote these logs used of the fixtures, taken together. */
export function describe(command: Command): Command {
  return command
    .argument("<logs...>", "the call logs of one run, or of each of its shards")
    .option("--fixtures <paths...>", "the fixture files and folders, as the runs named them", ["./fixtures"])
    .option(
      "--threshold <share>",
      "fail when less than this share of the fakes was used, from 0 to 1, or none is declared",
    )
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ MOCKMCP_LOG=shard-1.jsonl vitest run --shard 1/3
  $ mcp-fakes coverage shard-1.jsonl shard-2.jsonl shard-3.jsonl --threshold 0.9`,
    );
}

export async function run(
  values: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
  { stdout, stderr }: Terminal,
): Promise<ExitCode> {
  const threshold = readThreshold(options.threshold);
  const lines = values
    .flat()
    .map(String)
    .flatMap((path) => linesOf(path, stderr));
  const coverage = coverageOf(declaredEntries([options.fixtures].flat().map(String)), lines);
  const failed = threshold !== null && (coverage.share < threshold || coverage.declared === 0);
  stdout.write(options.json === true ? `${JSON.stringify({ failed, ...coverage })}\n` : textOf(coverage, threshold));
  return failed ? 1 : 0;
}

// --- internal ---

interface Coverage {
  readonly declared: number;
  readonly used: number;
  /** From 0 to 1; 1 when nothing is declared, which no threshold takes. */
  readonly share: number;
  /** Ids of the entries that no call used. */
  readonly unused: readonly string[];
  /** Calls without a test id, by tool. */
  readonly untagged: Readonly<Record<string, number>>;
}

function readThreshold(text: unknown): number | null {
  if (text === undefined) return null;
  const share = Number(text);
  if (text !== "" && share >= 0 && share <= 1) return share;
  throw new UsageError(`--threshold must be a number from 0 to 1, got ${JSON.stringify(text)}`);
}

function linesOf(path: string, stderr: Terminal["stderr"]): readonly LogLine[] {
  if (!existsSync(path)) throw new UsageError(`no such log: ${path}`);
  const { lines, tornLine } = readLog(path);
  if (tornLine !== null) stderr.write(`${path}: line ${tornLine} is torn and was skipped\n`);
  return lines;
}

/** Entries that may be left unused are not asked for. */
function declaredEntries(paths: readonly string[]): readonly string[] {
  const { files, problems } = readFixtures(paths, { cwd: process.cwd() });
  const { blocks, errors } = readFileBlocks(files);
  const [first] = [...problems, ...errors];
  if (first !== undefined) throw new UsageError(`the fixtures do not load: ${first.message}; see mcp-fakes validate`);
  return blocks.flatMap((block) => entriesOf(block).flatMap(({ id, uses }) => (uses.min > 0 ? id : [])));
}

function coverageOf(declared: readonly string[], lines: readonly LogLine[]): Coverage {
  const seen = new Set(lines.map(({ entryId }) => entryId));
  const unused = declared.filter((id) => !seen.has(id));
  const untagged: Record<string, number> = {};
  for (const { kind, testId, tool } of lines) {
    if (kind !== "tool_call" || testId !== null || tool === null) continue;
    untagged[tool] = (untagged[tool] ?? 0) + 1;
  }
  const used = declared.length - unused.length;
  return {
    declared: declared.length,
    used,
    share: declared.length === 0 ? 1 : used / declared.length,
    unused,
    untagged,
  };
}

function textOf({ declared, used, share, unused, untagged }: Coverage, threshold: number | null): string {
  const percent = (value: number) => `${Math.round(value * 100)} %`;
  const asked = threshold === null ? "" : `, ${percent(threshold)} asked for`;
  const counted = (calls: number) => `${calls} ${calls === 1 ? "call" : "calls"}`;
  return [
    ...unused.map((id) => `unused: ${id}`),
    ...Object.entries(untagged).map(([tool, calls]) => `without a test id: ${tool}, ${counted(calls)}`),
    declared === 0
      ? `the fixtures declare no fake${threshold === null ? "" : ", so no share of them can be asked for"}`
      : `${used} of ${declared} fakes were used (${percent(share)}${asked})`,
    "",
  ].join("\n");
}
