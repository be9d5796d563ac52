import type { Readable, Writable } from "node:stream";
import type { Command } from "commander";

/** Where a command reads and writes. Answers go to `stdout`, progress and complaints to `stderr`. */
export interface Terminal {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly stdin: Readable;
}

/** 0: done. 1: a check failed. 2: wrong use. */
export type ExitCode = 0 | 1 | 2;

/** What a command's file exports. */
export interface CliCommand {
  /** Declares arguments, options and examples. */
  describe(command: Command): Command;
  /** Does it. `values` are the command's arguments, as commander parsed them; `options` its options by name. */
  run(values: readonly unknown[], options: Readonly<Record<string, unknown>>, terminal: Terminal): Promise<ExitCode>;
}

/**
 * Wrong use of the command line: ends the program with code 2. Recognised by its code.
 *
 * @example throw new UsageError("--port must be an integer from 0 to 65535, got \"http\"")
 */
export class UsageError extends Error {
  override name = "UsageError";
  readonly code = "MCP_FAKES_USAGE";

  static is(value: unknown): value is UsageError {
    return value instanceof Error && "code" in value && value.code === "MCP_FAKES_USAGE";
  }
}
