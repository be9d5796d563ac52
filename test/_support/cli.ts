import { Readable, Writable } from "node:stream";
import { runCli } from "../../src/cli/run.ts";

/** What a command printed, and how it ended. */
export interface CliRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line in this process. */
export async function runCommand(...argv: string[]): Promise<CliRun> {
  const stdout = createCapture();
  const stderr = createCapture();
  const exitCode = await runCli(argv, { stdin: Readable.from([]), stdout: stdout.stream, stderr: stderr.stream });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

function createCapture(): { stream: Writable; text(): string } {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join("") };
}
