import { existsSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import type { Command } from "commander";
import { makeShims } from "../shims/make-shims.ts";
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
  const commands = makeShims({ fixture, folder, ...(record === undefined ? {} : { record: String(record) }) });
  const path = resolve(folder);
  const report = `${commands.length} ${commands.length === 1 ? "shim" : "shims"} in ${folder}: ${commands.join(", ")}\n`;
  stdout.write(
    json === true
      ? `${JSON.stringify({ folder: path, commands })}\n`
      : `${report}Put them first on PATH: export PATH="${path}${delimiter}$PATH"\n`,
  );
  return 0;
}
