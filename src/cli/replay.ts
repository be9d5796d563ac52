import type { Command } from "commander";
import { readEnvironment } from "../environment.ts";
import { mockBefore } from "../upstream/proxy.ts";
import { toldBy } from "../upstream/recorder.ts";
import { createRedactor } from "../upstream/redact.ts";
import { replayBackend } from "../upstream/replay.ts";
import { type ExitCode, type Terminal, UsageError } from "./command.ts";
import { readGivenCassette } from "./given-cassette.ts";
import { addMockFlags, serveMock } from "./serve-mock.ts";
import { untilStopped } from "./until-stopped.ts";

const SPEEDS = ["zero", "recorded"] as const;

/** `mcp-fakes replay`: a recording in place of its server. Source: scripting sheet, 4. */
export function describe(command: Command): Command {
  return addMockFlags(command.argument("[cassette]", "a recording (default: MOCKMCP_REPLAY)"))
    .option("--repeat", "answer on with the last recording of a request when all are used")
    .option("--speed <speed>", `${SPEEDS.join(" or ")}: how fast answers come`, SPEEDS[0])
    .addHelpText("after", "\nExample:\n  $ mcp-fakes replay github.jsonl --stdio");
}

export async function run(
  [given]: readonly unknown[],
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<ExitCode> {
  const environment = readEnvironment();
  const path = given === undefined ? environment.replay : String(given);
  if (path === null) throw new UsageError("name the cassette, or set MOCKMCP_REPLAY");
  const speed = SPEEDS.find((known) => known === flags.speed);
  if (speed === undefined) throw new UsageError(`--speed must be ${SPEEDS.join(" or ")}, got ${flags.speed}`);
  const cassette = readGivenCassette(path, terminal);
  const redactor = createRedactor(environment.redact);
  const backend = replayBackend(cassette, { redactor, repeat: flags.repeat === true, speed });
  await serveMock(mockBefore(backend, toldBy(cassette)), flags, { stdout: terminal.stdout, stopped: untilStopped() });
  return 0;
}
