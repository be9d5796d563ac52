/** Where a real server is, as `--from` says it: a URL, or the command that starts it. */
export type Source = { url: string } | { command: string; args: string[] };

/** @example upstreamOf("npx -y some-server") // { command: "npx", args: ["-y", "some-server"] } */
export function upstreamOf(source: string): Source {
  if (/^https?:\/\//.test(source)) return { url: source };
  const [command = "", ...args] = wordsOf(source);
  return { command, args };
}

/** The words of a command line; quotes hold a word with spaces together. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}
