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
