import { existsSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import type { Command } from "commander";
import { makeShims, type ShimOptions } from "../shims/make-shims.ts";
import { type ExitCode, type Terminal, UsageError } from "./command.ts";

/** `mcp-fakes make-shims`: scripted commands for a PATH. Source: scripting sheet, 5. */
export function describe(command: Command): Command {
  return command
    .argument("<fixture>", "a file that says what the commands answer")
    .argument("<folder>", "where the shims go; put it at the front of PATH")
    .option("--record <cassette>", "run the real commands and record what they do")
    .option("--json", "print the result as JSON: { folder, commands }")
    .addHelpText(
      "after",
      `
Examples:
  $ mcp-fakes make-shims cli.json .tmp/shims
  $ PATH="$PWD/.tmp/shims:$PATH" git log --oneline`,
    );
}

export async function run(
  values: readonly unknown[],
  { record, json }: Readonly<Record<string, unknown>>,
  { stdout }: Terminal,
): Promise<ExitCode> {
  const [fixture = "", folder = ""] = values.map(String);
  if (!existsSync(fixture)) throw new UsageError(`no such fixture: ${fixture}`);
  const commands = write({ fixture, folder, ...(record === undefined ? {} : { record: String(record) }) });
  const path = resolve(folder);
  const report = `${commands.length} ${commands.length === 1 ? "shim" : "shims"} in ${folder}: ${commands.join(", ")}\n`;
  stdout.write(
    json === true
      ? `${JSON.stringify({ folder: path, commands })}\n`
      : `${report}Put them first on PATH: export PATH="${path}${delimiter}$PATH"\n`,
  );
  return 0;
}

// --- internal ---

/** A folder that shims cannot be written to is wrong use of the command line. */
function write(options: ShimOptions): readonly string[] {
  try {
    return makeShims(options);
  } catch (error) {
    if (!(error instanceof Error) || !("path" in error) || !("code" in error)) throw error;
    const why = IN_THE_WAY[String(error.code)] ?? error.message;
    throw new UsageError(`cannot write shims to ${options.folder}: ${error.path}: ${why}`);
  }
}

const IN_THE_WAY: Readonly<Record<string, string>> = {
  EEXIST: "this is a file; name a folder, which is made when it is not there",
  ENOTDIR: "a part of this path is a file",
  EISDIR: "this is a folder, and a shim would have its name",
  EACCES: "permission denied",
};
