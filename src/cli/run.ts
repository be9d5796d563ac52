import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { type CliCommand, type ExitCode, type Terminal, UsageError } from "./command.ts";
import { COMMANDS, type CommandRow } from "./commands.ts";

/**
 * Runs one command line, without the program's name, and answers its exit code. Only the called command is loaded.
 *
 * @example process.exitCode = await runCli(["assert", "calls.jsonl", "--no-errors"], process)
 */
export async function runCli(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const called = COMMANDS.find(({ name }) => name === argv.find((word) => !word.startsWith("-")));
  const program = createProgram(terminal);
  let exitCode: ExitCode = 0;
  for (const row of COMMANDS) {
    const command = program.command(row.name).summary(row.summary).description(row.summary);
    if (row !== called) continue;
    const { describe, run } = await loadCommand(row);
    describe(command).action(async () => {
      exitCode = await run(command.processedArgs, command.opts(), terminal);
    });
  }
  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    return explain(error, terminal);
  }
}

// --- internal ---

function createProgram({ stdout, stderr }: Terminal): Command {
  return new Command("mcp-fakes")
    .description("Mock MCP servers, tools and commands for the tests of agents.")
    .version(packageJson.version)
    .helpCommand(false)
    .showHelpAfterError("(add --help to see what it takes)")
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .exitOverride();
}

async function loadCommand(row: CommandRow): Promise<CliCommand> {
  return await row.load();
}

function explain(error: unknown, { stderr }: Terminal): ExitCode {
  // Commander has already printed the help, the version, or what is wrong.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  stderr.write(`mcp-fakes: ${error instanceof Error ? error.message : String(error)}\n`);
  return UsageError.is(error) ? 2 : 1;
}
