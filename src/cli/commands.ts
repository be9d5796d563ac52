import type { CliCommand } from "./command.ts";

/** One row of the command line: what `--help` says of a command, and where its code is. */
export interface CommandRow {
  readonly name: string;
  readonly summary: string;
  /** Loaded only when the command is called, so that no command pays for another's imports. */
  load(): Promise<CliCommand>;
}

/** Every command of `mcp-fakes`, in the order of `--help`. To add one is to add a row. */
export const COMMANDS: readonly CommandRow[] = [
  { name: "serve", summary: "serve fakes over HTTP", load: () => import("./serve.ts") },
  { name: "init", summary: "write a file to start from", load: () => import("./init.ts") },
  {
    name: "validate",
    summary: "check fixture files: every error and warning, offline",
    load: () => import("./validate.ts"),
  },
  {
    name: "make-shims",
    summary: "put scripted commands in place of git, gh and others",
    load: () => import("./make-shims.ts"),
  },
  {
    name: "coverage",
    summary: "tell which fakes no test used, over the logs of all shards",
    load: () => import("./coverage.ts"),
  },
  { name: "proxy", summary: "a real server with some of its tools scripted", load: () => import("./proxy.ts") },
  {
    name: "record",
    summary: "a proxy that writes down what the real server answers",
    load: () => import("./record.ts"),
  },
  { name: "replay", summary: "a recording in place of its server", load: () => import("./replay.ts") },
  { name: "convert", summary: "make a fixture of a recording", load: () => import("./convert.ts") },
  { name: "assert", summary: "check a call log, for CI", load: () => import("./assert.ts") },
];
