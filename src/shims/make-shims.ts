import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readCliFixture } from "./read-cli-fixture.ts";

/** Where shims go and what they do. */
export interface ShimOptions {
  /** Path of the fixture of commands. */
  readonly fixture: string;
  readonly folder: string;
  /** A cassette that the runs of the real commands are recorded to. */
  readonly record?: string;
}

/**
 * Writes a shim for each command of a fixture, for POSIX shells and for Windows. Answers the commands' names. Throws an
 * `Error` that names all that is wrong with the fixture. Source: scripting sheet, 5.
 *
 * @example makeShims({ fixture: "cli.json", folder: ".tmp/shims" }) // ["git", "gh"]
 */
export function makeShims({ fixture, folder, record }: ShimOptions): readonly string[] {
  const commands = Object.keys(readCliFixture(fixture).commands);
  const shimDir = resolve(folder);
  const variables: Variable[] = [
    { name: "MOCKCLI_FIXTURE", value: resolve(fixture) },
    { name: "MOCKCLI_SHIM_DIR", value: shimDir },
    ...(record === undefined ? [] : [{ name: "MOCKCLI_RECORD", value: resolve(record) }]),
  ];
  mkdirSync(shimDir, { recursive: true });
  // New shims begin a new scenario.
  rmSync(join(shimDir, ".mcp-fakes-state.json"), { force: true });
  for (const command of commands) {
    const posix = join(shimDir, command);
    writeFileSync(posix, posixShim(command, variables));
    chmodSync(posix, 0o755);
    writeFileSync(join(shimDir, `${command}.cmd`), windowsShim(command, variables));
  }
  return commands;
}

// --- internal ---

interface Variable {
  readonly name: string;
  readonly value: string;
}

/** The shim program, built beside this module or, from the sources, in the package's `dist`. */
function shimProgram(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const found = [join(folder, "shim.cjs"), join(folder, "dist/shim.cjs")].find((path) => existsSync(path));
    if (found !== undefined) return found;
  }
  throw new Error("the shim program (shim.cjs) is missing: install the package again");
}

/** What is set already stays: one run may send its commands elsewhere. */
function posixShim(command: string, variables: readonly Variable[]): string {
  const defaults = variables.map(
    ({ name, value }) => `[ -n "$${name}" ] || ${name}=${quotePosix(value)}\nexport ${name}\n`,
  );
  return `#!/bin/sh\n${defaults.join("")}exec ${quotePosix(process.execPath)} ${quotePosix(shimProgram())} ${quotePosix(command)} "$@"\n`;
}

function quotePosix(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function windowsShim(command: string, variables: readonly Variable[]): string {
  const defaults = variables.map(({ name, value }) => `if not defined ${name} set "${name}=${quoteWindows(value)}"`);
  const start = `"${quoteWindows(process.execPath)}" "${quoteWindows(shimProgram())}" ${command} %*`;
  return ["@echo off", "setlocal", ...defaults, start, "exit /b %ERRORLEVEL%", ""].join("\r\n");
}

/** In a batch file a percent sign begins a variable. */
function quoteWindows(text: string): string {
  return text.replaceAll("%", "%%");
}
