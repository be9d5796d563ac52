import { isUtf8 } from "node:buffer";
import * as z from "zod/mini";
import type { CommandOutput } from "./facts.ts";

/** A command's run, the same in logs, cassettes and the journal. */
export const commandRun = {
  command: z.string(),
  argv: z.array(z.string()),
  stdin: z.string(),
  stdout: z.string(),
  stderr: z.string(),
  /** The bytes of an output that is no UTF-8 text; the text beside it then only shows what can be shown. */
  stdoutBase64: z.optional(z.base64()),
  stderrBase64: z.optional(z.base64()),
  /** `null` when a signal ended the command. */
  exitCode: z.nullable(z.int()),
};

/** Output as it is written down: as text, and byte for byte where it is none. */
export function outputOf(stdout: Buffer, stderr: Buffer): CommandOutput {
  return {
    stdout: stdout.toString("utf8"),
    stderr: stderr.toString("utf8"),
    ...(isUtf8(stdout) ? {} : { stdoutBase64: stdout.toString("base64") }),
    ...(isUtf8(stderr) ? {} : { stderrBase64: stderr.toString("base64") }),
  };
}

/** The most of each stream of a run that the journal keeps, in characters. */
const KEPT_MAX = 64 * 1024;

/** A run as the journal keeps it: what is longer is cut, and says so. */
export function clipped<Run extends CommandOutput & { readonly stdin: string }>(run: Run): Run {
  const { stdoutBase64, stderrBase64, ...rest } = run;
  const isWhole = [run.stdin, run.stdout, run.stderr, stdoutBase64, stderrBase64].every(
    (text = "") => text.length <= KEPT_MAX,
  );
  if (isWhole) return run;
  const cut = { stdin: clip(run.stdin), stdout: clip(run.stdout), stderr: clip(run.stderr) };
  return { ...rest, ...cut } as Run; // the two that may be left out are
}

function clip(text: string): string {
  if (text.length <= KEPT_MAX) return text;
  const mark = `… (cut by the journal's cap of 64 KB; ${text.length} characters in all)`;
  return text.slice(0, KEPT_MAX - mark.length) + mark;
}
