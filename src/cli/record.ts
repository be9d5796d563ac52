import { existsSync } from "node:fs";
import type { Command } from "commander";
import { readEnvironment } from "../environment.ts";
import type { MCPMock } from "../mcp/mcp-mock.ts";
import { addOverrides, listenerFor, mockBefore, readProxyFile, redactorFor } from "../upstream/proxy.ts";
import { openRecorder, RECORD_MODES, type RecordMode } from "../upstream/recorder.ts";
import { type ExitCode, type Terminal, UsageError } from "./command.ts";
import { readGivenCassette } from "./given-cassette.ts";
import { patiently } from "./patiently.ts";
import { addMockFlags, serveMock } from "./serve-mock.ts";
import { PROGRAMS_STOP_MS, untilStopped } from "./until-stopped.ts";

/** `mcp-fakes record`: a proxy that writes down what the real server answers. Source: scripting sheet, 4. */
export function describe(command: Command): Command {
  return addMockFlags(command.argument("<file>", "a proxy file: says where the server is"))
    .option("--cassette <file>", "where the recording goes (default: MOCKMCP_RECORD)")
    .option("--record <mode>", `${RECORD_MODES.join(", ")} (default: once; none when CI is set)`)
    .addHelpText(
      "after",
      `
  none   answer from the cassette, never ask the real server
  once   record while there is no cassette, then only answer from it
  new    answer from the cassette, record what it does not hold
  all    ask the real server and record anew

Example:
  $ mcp-fakes record github.proxy.json --cassette github.jsonl --stdio`,
    );
}

export async function run(
  [path]: readonly unknown[],
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<ExitCode> {
  const environment = readEnvironment();
  const cassette = flags.cassette === undefined ? environment.record : String(flags.cassette);
  if (cassette === null) throw new UsageError("name the cassette with --cassette or MOCKMCP_RECORD");
  const mode = modeOf(flags.record, environment.isCi ? "none" : "once");
  // Whatever the mode: a file that is no cassette is not written over.
  const known = existsSync(cassette) ? readGivenCassette(cassette, terminal) : null;
  const file = readProxyFile(String(path));
  let mock: MCPMock | null = null;
  // From here on: a stop while the server starts ends the server too.
  const stopped = untilStopped(PROGRAMS_STOP_MS);
  const opening = openRecorder({
    upstream: file.upstream,
    cassette,
    known,
    mode,
    redactor: redactorFor(file, environment),
    listener: listenerFor(() => mock, terminal.stderr),
  });
  const { stderr } = terminal;
  const recorder = await patiently(opening, { what: "the real server to answer", stderr });
  try {
    mock = mockBefore(recorder.backend, recorder.told);
    addOverrides(mock, String(path), file);
    await serveMock(mock, flags, { stdout: terminal.stdout, stopped });
  } finally {
    await recorder.close();
  }
  return 0;
}

function modeOf(given: unknown, otherwise: RecordMode): RecordMode {
  if (given === undefined) return otherwise;
  const mode = RECORD_MODES.find((known) => known === given);
  if (mode === undefined) throw new UsageError(`--record must be ${RECORD_MODES.join(", ")}, got ${given}`);
  return mode;
}
