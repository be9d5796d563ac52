import { readFileSync } from "node:fs";
import { readShimEnvironment, type ShimEnvironment } from "../environment.ts";
import { clipped, outputOf } from "../journal/command-run.ts";
import type { CommandOutput } from "../journal/facts.ts";
import { openJsonl, openLog } from "../journal/jsonl.ts";
import { isJsonObject } from "../json.ts";
import type { CassetteRun } from "../upstream/cassette-line.ts";
import { createRedactor } from "../upstream/redact.ts";
import { type CommandRun, type CommandState, claimRun, hasState, type RunOutcome, readsStdin } from "./claim-run.ts";
import { readCliFixture } from "./read-cli-fixture.ts";
import { runReal } from "./run-real.ts";
import type { CliAnswer, CliFile } from "./schema.ts";
import { type ShimServer, shimServer } from "./shim-server.ts";
import { countCall, moveTo } from "./state-file.ts";

/** What a shim starts: a scripted command, or the real one. Source: scripting sheet, 5. */
export async function runShim([command = "", ...argv]: readonly string[]): Promise<void> {
  const environment = readShimEnvironment();
  const startedAt = Date.now();
  const file = fixtureOf(environment);
  const fixture = Object.hasOwn(file.commands, command) ? file.commands[command] : undefined;
  const isRecording = environment.record !== null && fixture?.unavailable !== true;
  const stdin = !isRecording && fixture !== undefined && readsStdin(fixture) ? readFileSync(0, "utf8") : "";
  const run: CommandRun = { command, argv, stdin };
  const server = shimServer(environment);

  const outcome = isRecording
    ? PASSTHROUGH
    : fixture === undefined
      ? UNDECLARED
      : claimRun(fixture, run, hasState(fixture) ? await nextState(run, environment, server) : BEGINNING);
  const ended = await carryOut(outcome, run, environment);
  const setState = outcome.kind === "answered" ? (outcome.answer.setState ?? null) : null;
  const durationMs = Date.now() - startedAt;

  if (setState !== null && server === null) moveTo(setState, environment);
  if (isRecording) record({ ...ended, command, argv: [...argv], durationMs }, file, environment);
  log({ ...ended, command, argv: [...argv], durationMs }, startedAt, environment);
  if (server !== null) {
    const { signal: _signal, ...facts } = ended;
    // The server takes no more than its journal keeps.
    const run = clipped({ ...facts, command, argv: [...argv], durationMs, startedAt });
    await server.post("/cli/runs", { ...run, testId: environment.testId, setState });
  }
  end(ended);
}

// --- internal ---

const BEGINNING: CommandState = { callIndex: 0, state: "start" };
const PASSTHROUGH: RunOutcome = { kind: "passthrough" };
const UNDECLARED: RunOutcome = { kind: "unexpected", declared: [] };

/** How a run ended, as the log and the journal have it. */
type EndedRun = Pick<CassetteRun, keyof CommandOutput | "stdin" | "exitCode"> & {
  outcome: RunOutcome["kind"];
  entryId: string | null;
  signal: NodeJS.Signals | null;
};

function fixtureOf({ fixture }: ShimEnvironment): CliFile {
  if (fixture === null) throw new Error("MOCKCLI_FIXTURE names no fixture; mcp-fakes make-shims makes shims that do");
  return readCliFixture(fixture);
}

async function nextState(
  { command }: CommandRun,
  environment: ShimEnvironment,
  server: ShimServer | null,
): Promise<CommandState> {
  if (server === null) return countCall(command, environment);
  const answer = await server.post("/cli/claim", { testId: environment.testId, command });
  const { callIndex, state } = isJsonObject(answer) ? answer : {};
  return { callIndex: Number(callIndex), state: String(state) };
}

async function carryOut(outcome: RunOutcome, run: CommandRun, environment: ShimEnvironment): Promise<EndedRun> {
  const { command, argv, stdin } = run;
  const nothing = { outcome: outcome.kind, entryId: null, stdin, stdout: "", stderr: "", exitCode: 1, signal: null };
  switch (outcome.kind) {
    case "answered":
      return { ...nothing, entryId: outcome.entryId, ...(await say(outcome.answer)) };
    case "unavailable":
      return { ...nothing, ...(await say({ stderr: `${command}: command not found\n`, exitCode: 127 })) };
    case "unexpected":
      return { ...nothing, ...(await say({ stderr: unexpectedText(run, outcome.declared), exitCode: 1 })) };
    case "passthrough": {
      const real = runReal(command, argv, environment);
      if (real !== undefined) return { ...nothing, ...(await real) };
      const stderr = `mcp-fakes: there is no ${command} on PATH past the shims\n`;
      return { ...nothing, ...(await say({ stderr, exitCode: 127 })) };
    }
  }
}

async function say({ exitCode = 0, delayMs = 0, ...answer }: CliAnswer) {
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  const stdout = bytesOf(answer.stdout, answer.stdoutBase64);
  const stderr = bytesOf(answer.stderr, answer.stderrBase64);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  return { ...outputOf(stdout, stderr), exitCode };
}

function bytesOf(text = "", base64?: string): Buffer {
  return base64 === undefined ? Buffer.from(text) : Buffer.from(base64, "base64");
}

function unexpectedText({ command, argv }: CommandRun, declared: readonly string[]): string {
  const what = [command, ...argv].join(" ");
  const known = declared.length === 0 ? "Nothing is declared for it." : `Declared: ${declared.join("; ")}.`;
  return `mcp-fakes: unexpected command: ${what}. ${known}\n`;
}

type LoggedRun = EndedRun & { command: string; argv: string[]; durationMs: number };

function record(run: LoggedRun, { redact = [] }: CliFile, environment: ShimEnvironment): void {
  if (environment.record === null) return;
  const { outcome: _outcome, entryId: _entry, stdoutBase64, stderrBase64, ...facts } = run;
  const redactor = createRedactor([...redact, ...environment.redact]);
  redactor.learn(environment.variables);
  const cassette = openJsonl<CassetteRun>(environment.record);
  cassette.write({
    ...redactor.redact({ ...facts, v: 1 as const, kind: "cli" as const }),
    ...(stdoutBase64 === undefined ? {} : { stdoutBase64: redactor.redactBase64(stdoutBase64) }),
    ...(stderrBase64 === undefined ? {} : { stderrBase64: redactor.redactBase64(stderrBase64) }),
  });
  cassette.close();
}

function log(run: LoggedRun, startedAt: number, { log: path, testId }: ShimEnvironment): void {
  if (path === null) return;
  const { signal: _signal, ...facts } = run;
  const writer = openLog(path);
  writer.write({
    ...facts,
    kind: "cli",
    time: new Date(startedAt).toISOString(),
    server: null,
    testId,
    tool: run.command,
    args: { argv: run.argv },
    result: null,
    error: null,
    isError: run.exitCode !== 0,
    expectation: null,
  });
  writer.close();
}

/** Ends as the command ended, by its signal too. */
function end({ exitCode, signal }: EndedRun): void {
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = exitCode ?? 1;
}
