import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";
import type { Cassette } from "../upstream/cassette.ts";
import { leftOutOf, toCliFixture, toFakes, toMockFixture } from "../upstream/convert.ts";
import { type ExitCode, type Terminal, UsageError } from "./command.ts";
import { refuseFileThere } from "./file-there.ts";
import { readGivenCassette } from "./given-cassette.ts";

/** `mcp-fakes convert`: a fixture of a recording. Source: scripting sheet, 4. */
export function describe(command: Command): Command {
  return command
    .argument("<cassette>", "a recording")
    .argument("<out>", "the fixture to write")
    .option("--fakes", "write a block of mcpFakes, for the test that --test-id names")
    .option("--test-id <id>", "the test that the block is for")
    .option("--cli", "write a fixture of commands, for make-shims")
    .option("--force", "replace a file that is there")
    .addHelpText(
      "after",
      `
Examples:
  $ mcp-fakes convert github.jsonl github.mock.json
  $ mcp-fakes convert github.jsonl refund.json --fakes --test-id "tickets › refund"
  $ mcp-fakes convert gh.jsonl gh.cli.json --cli`,
    );
}

export async function run(
  values: readonly unknown[],
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<ExitCode> {
  const { stderr } = terminal;
  const [path = "", out = ""] = values.map(String);
  const cassette = readGivenCassette(path, terminal);
  refuseFileThere(out, flags);
  const fixture = fixtureOf(cassette, flags);
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, `${JSON.stringify(fixture, null, 2)}\n`);
  const told = cassette.exchanges.filter(({ notifications }) => notifications.length > 0).length;
  if (told > 0 && flags.cli !== true) {
    stderr.write(`${told} recorded answers came with progress or log lines, which only replay tells again\n`);
  }
  if (flags.cli !== true) {
    const leftOut = [...leftOutOf(cassette, flags.fakes === true ? "fakes" : "mock")];
    const what = leftOut.map(([method, count]) => `${count} ${method}`).join(", ");
    if (leftOut.length > 0) stderr.write(`left out, since such a fixture cannot say it: ${what}; replay answers it\n`);
  }
  return 0;
}

function fixtureOf(cassette: Cassette, { fakes, cli, testId }: Readonly<Record<string, unknown>>): unknown {
  if (fakes === true && cli === true) throw new UsageError("--fakes and --cli are two kinds of fixture: give one");
  if (cli === true) {
    if (cassette.runs.length === 0) throw new UsageError(`${cassette.path} holds no runs of commands for --cli`);
    return toCliFixture(cassette);
  }
  if (fakes !== true) return toMockFixture(cassette);
  if (testId === undefined) throw new UsageError("--fakes needs --test-id: say which test the block is for");
  const block = toFakes(cassette, String(testId));
  if (block.mcpFakes.tools?.length === 0) throw new UsageError(`${cassette.path} holds no calls of tools for --fakes`);
  return block;
}
