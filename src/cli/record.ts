import { existsSync } from "node:fs";
import type { Command } from "commander";
import { readEnvironment } from "../environment.ts";
import type { UpstreamListener } from "../upstream/client.ts";
import { readProxyFile, redactorFor } from "../upstream/proxy.ts";
import { openRecorder, RECORD_MODES, type RecordMode } from "../upstream/recorder.ts";
import { type ExitCode, type Terminal, UsageError } from "./command.ts";
import { readGivenCassette } from "./given-cassette.ts";
import { addMockFlags } from "./serve-mock.ts";
import { serveProxy } from "./serve-proxy.ts";

/** `mcp-fakes record`: a proxy that writes down what the real server answers. Source: scripting sheet, 4. */
export function describe(command: Command): Command {
  return addMockFlags(command.argument("<file>", "a proxy file: says where the server is"))
    .option("--cassette <file>", "where the recording goes (default: MOCKMCP_RECORD)")
    .option("--record <mode>", `${RECORD_MODES.join(", ")} (default: once; none when CI is set)`)
    .addHelpText(
      "after",
      `
  none   answer from the cassette, never ask the real server
  once   record while nothing is recorded, then only answer from it
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
  const redactor = redactorFor(file, environment);
  const open = (listener: UpstreamListener) =>
    openRecorder({ upstream: file.upstream, cassette, known, mode, redactor, listener });
  await serveProxy({ path: String(path), file, open }, flags, terminal);
  return 0;
}

function modeOf(given: unknown, otherwise: RecordMode): RecordMode {
  if (given === undefined) return otherwise;
  const mode = RECORD_MODES.find((known) => known === given);
  if (mode === undefined) throw new UsageError(`--record must be ${RECORD_MODES.join(", ")}, got ${given}`);
  return mode;
}
