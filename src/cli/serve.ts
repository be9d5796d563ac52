import { existsSync } from "node:fs";
import type { Command } from "commander";
import { readEnvironment } from "../environment.ts";
import type { LLMock } from "../llmock.ts";
import { createLogger } from "../logger.ts";
import type { ExitCode, Terminal } from "./command.ts";
import { mountConfigured } from "./config-mcp.ts";
import { createServer, listen } from "./listen.ts";
import { problemLines } from "./load-problems.ts";
import { readServeOptions, refuseIdle, SERVE_FLAGS } from "./serve-options.ts";
import { joinStdio, stdioOptions } from "./serve-stdio.ts";
import { servedLines } from "./served.ts";
import { untilStopped } from "./until-stopped.ts";
import { watchSources } from "./watch.ts";

/** `mcp-fakes serve`: the server, until it is told to stop. Source: product page, 8. */
export function describe(command: Command): Command {
  for (const flag of SERVE_FLAGS) command.addOption(flag);
  return command
    .argument("[paths...]", `fixture files and folders (default: ${DEFAULT_FOLDER}, when it is there)`)
    .addHelpText(
      "after",
      `
Examples:
  $ mcp-fakes serve                          # ${DEFAULT_FOLDER} on http://127.0.0.1:4010
  $ mcp-fakes serve a.json b/ --port 0       # two sources, on a free port
  $ mcp-fakes serve --host 0.0.0.0 --token "$(openssl rand -hex 16)"`,
    );
}

export async function run(
  values: readonly unknown[],
  given: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<ExitCode> {
  const sources = values.flat().map(String);
  refuseIdle(sources, given);
  if (given.stdio === true && given.url !== undefined) return await joinStdio(given, terminal);
  const { stdout, stderr } = terminal;
  const { options, json, watch, ...config } = readServeOptions(given, process.env);
  const configured = given.config !== undefined;
  const llm = createServer(options);
  for (const section of config.mcp) mountConfigured(llm, section);
  llm.ensureMcpMount("/mcp");
  const { fixture } = readEnvironment();
  const fromEnvironment = sources.length === 0 && !configured && fixture !== null ? [fixture] : [];
  const named = [...config.fixtures, ...sources, ...fromEnvironment];
  const paths = named.length === 0 && !configured && existsSync(DEFAULT_FOLDER) ? [DEFAULT_FOLDER] : named;
  const loaded = attemptLoad(stderr, () => llm.loadFixtures(paths));
  if (loaded.problems > 0) {
    stderr.write(`mcp-fakes: nothing is served: ${countOf(loaded.problems)} in the fixtures\n`);
    return 1;
  }
  const stopped = untilStopped();
  if (given.stdio === true) {
    await Promise.race([llm.serveStdio(stdioOptions(given, terminal)), stopped]);
    await llm.stop();
    return 0;
  }
  // In an empty folder, what `init` is going to write is waited for.
  const toWatch = paths.length > 0 || configured ? paths : [DEFAULT_FOLDER];
  const watched = watch ? await watchSources(toWatch, () => reload(llm, toWatch, stderr)) : null;
  const url = await listen(llm, options.port);
  stdout.write(json ? `${JSON.stringify({ url })}\n` : `[mcp-fakes] listening on ${url}\n`);
  if (watch && toWatch.length === 0)
    stderr.write("[mcp-fakes] nothing is watched: the config file names no fixtures\n");
  if (paths.length === 0 && !configured) stderr.write(nextSteps(url));
  else for (const line of servedLines(llm.loadedFakes())) createLogger(options.logLevel).info(line);
  await stopped;
  await watched?.close();
  await llm.stop();
  return 0;
}

// --- internal ---

const DEFAULT_FOLDER = "./fixtures";

/** A change is taken whole, or what was loaded before stays. */
function reload(llm: LLMock, paths: readonly string[], stderr: Terminal["stderr"]): void {
  const { problems } = attemptLoad(stderr, () => llm.replaceFixtures(paths));
  stderr.write(
    problems === 0
      ? "[mcp-fakes] the fixtures have changed and are loaded anew\n"
      : `mcp-fakes: the change is refused: ${countOf(problems)} in the fixtures; what was loaded before is still served\n`,
  );
}

/** Shows every problem of a load, and counts them. */
function attemptLoad(stderr: Terminal["stderr"], load: () => void): { readonly problems: number } {
  try {
    load();
    return { problems: 0 };
  } catch (error) {
    const { errors, warnings } = problemLines(error);
    for (const line of [...errors, ...warnings]) stderr.write(`${line}\n`);
    return { problems: errors.length };
  }
}

function countOf(problems: number): string {
  return `${problems} ${problems === 1 ? "problem" : "problems"}`;
}

/** What somebody sees who tries the server in an empty folder. */
function nextSteps(url: string): string {
  return `
There is no ${DEFAULT_FOLDER} here and no path was given, so no fakes are loaded. Next:
  npx mcp-fakes init           writes ${DEFAULT_FOLDER}/example.json, to start from; then serve again
  npx mcp-fakes serve <path>   serves your fixture file or folder
  POST ${url}/__aimock/fixtures adds fakes to this server while it runs
MCP clients connect to ${url}/mcp
`;
}
