import { UsageError } from "../command.ts";

/** Where a real server is, as `--from` says it: a URL, or the command that starts it. */
export type Source = { url: string } | { command: string; args: string[] };

/**
 * Throws a `UsageError` for what is neither.
 *
 * @example upstreamOf("npx -y some-server") // { command: "npx", args: ["-y", "some-server"] }
 */
export function upstreamOf(source: string): Source {
  if (URL.canParse(source) && /^https?:\/\//i.test(source)) return { url: source };
  const [command = "", ...args] = wordsOf(source);
  if (command === "" || /^https?:/i.test(command)) {
    throw new UsageError(
      `--from needs the URL of an MCP server or the command that starts one, got ${JSON.stringify(source)}`,
    );
  }
  return { command, args };
}

/** The words of a command line; quotes hold a word with spaces together. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}
