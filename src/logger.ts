/** How much a server says. Each level includes those before it. */
export const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Where a server's lines go. */
export interface Logger {
  error(line: string): void;
  warn(line: string): void;
  info(line: string): void;
  debug(line: string): void;
}

export const SILENT: Logger = { error() {}, warn() {}, info() {}, debug() {} };

/** Lines up to `level`, on stderr: stdout belongs to the protocol and to commands' answers. */
export function createLogger(level: LogLevel): Logger {
  const limit = LOG_LEVELS.indexOf(level);
  const at = (name: LogLevel) =>
    LOG_LEVELS.indexOf(name) <= limit ? (line: string) => void process.stderr.write(`[mcp-fakes] ${line}\n`) : () => {};
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}
