import { type ExitCode, type Terminal, UsageError } from "./command.ts";
import { bridgeStdio, type StdioBridge } from "./stdio-bridge.ts";

/** Whose view of which mount a stdio client gets, and its streams. */
export function stdioOptions(
  { mount, testId, context }: Readonly<Record<string, unknown>>,
  { stdin, stdout }: Pick<Terminal, "stdin" | "stdout">,
): Omit<StdioBridge, "url"> {
  const given = Object.entries({ mount, testId, context }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), input: stdin, output: stdout };
}

/** `serve --stdio --url`: this process is a pipe between its client and a server that runs already. */
export async function joinStdio(given: Readonly<Record<string, unknown>>, terminal: Terminal): Promise<ExitCode> {
  const url = String(given.url).replace(/\/$/, "");
  if (!/^https?:/.test(url) || !URL.canParse(url)) {
    throw new UsageError(
      `--url must be the URL of a server, such as http://127.0.0.1:4010, got ${JSON.stringify(url)}`,
    );
  }
  await bridgeStdio({ ...stdioOptions(given, terminal), stderr: terminal.stderr, url });
  return 0;
}
