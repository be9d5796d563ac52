/** Levels of an MCP log line, least first (MCP, Logging; RFC 5424). */
export const LOGGING_LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;

export type LoggingLevel = (typeof LOGGING_LEVELS)[number];

/** True when a line of this level goes to a client that wants lines from `least` on; of no level that there is, never. */
export function isLogged(level: unknown, least: LoggingLevel): boolean {
  const ranks: readonly unknown[] = LOGGING_LEVELS;
  return ranks.indexOf(level) >= ranks.indexOf(least);
}
