import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { WIRE_ENV } from "./wire-children.ts";

/** How a runner's process ended. */
export interface RunnerResult {
  readonly exitCode: number | null;
  /** Both streams, as they came. */
  readonly printed: string;
  /** The same without colours, with `<root>` for the project's folder, `<port>` and `<time>`. */
  readonly output: string;
}

/** A runner that does not end by itself. */
export interface Watcher {
  /** Resolves when the output since the last call has a match, with that output. */
  next(pattern: RegExp): Promise<string>;
  /** Ends it as Ctrl-C does, or with another signal. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** A runner's process, and the folder of its project. */
export interface RunnerProcess {
  readonly child: ChildProcess;
  readonly folder: string;
}

export interface StartOptions {
  /** Path of another Node than this one. */
  readonly node?: string;
  readonly folder: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What the outer runner's environment must not tell the inner one. */
const OUTER = /^(VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$|GITHUB_|MCP_FAKES_|OPENAI_|ANTHROPIC_)/;

/** Starts Node in a project's folder. */
export function start({ node = process.execPath, folder, args, env }: StartOptions): RunnerProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !OUTER.test(name));
  const child = spawn(node, args, {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), CI: "true", NO_COLOR: "1", ...WIRE_ENV, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { child, folder };
}

/** Waits for a runner's end. */
export async function finish({ child, folder }: RunnerProcess): Promise<RunnerResult> {
  let text = "";
  listen(child, (chunk) => {
    text += chunk;
  });
  const [exitCode] = await once(child, "close");
  return { exitCode, printed: text, output: withoutChance(text, folder) };
}

/** Follows a runner that does not end by itself. */
export function watch({ child, folder }: RunnerProcess): Watcher {
  const arrivals = new EventEmitter();
  let text = "";
  listen(child, (chunk) => {
    text += chunk;
    arrivals.emit("text");
  });
  return {
    async next(pattern) {
      while (!pattern.test(stripVTControlCharacters(text))) await once(arrivals, "text");
      const seen = withoutChance(text, folder);
      text = "";
      return seen;
    },
    async stop(signal = "SIGINT") {
      if (child.exitCode === null && child.signalCode === null && child.kill(signal)) await once(child, "exit");
    },
  };
}

function listen({ stdout, stderr }: ChildProcess, hear: (chunk: string) => void): void {
  for (const stream of [stdout, stderr]) stream?.setEncoding("utf8").on("data", hear);
}

function withoutChance(text: string, folder: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(folder, "<root>")
    .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, "$1:<port>")
    .replaceAll(/\b\d+(\.\d+)?m?s\b/g, "<time>");
}
