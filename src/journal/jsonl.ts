import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { check, showProblem } from "../files/explain.ts";
import { type LogLine, logLine, type NewLogLine } from "./log-line.ts";

/** Appends lines to one file. */
export interface JsonlWriter<Line> {
  /** On disk when it returns. */
  write(line: Line): void;
  close(): void;
}

/**
 * Opens a file of JSON lines for appending, with the folders that lead to it. Each line is one write, so several
 * processes may append to one file and a killed one leaves whole lines. Throws what the file system throws.
 */
export function openJsonl<Line>(path: string): JsonlWriter<Line> {
  mkdirSync(dirname(path), { recursive: true });
  let file: number | null = openSync(path, "a");
  return {
    write(line) {
      if (file !== null) writeSync(file, `${JSON.stringify(line)}\n`);
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

/** Opens the log at `path`; see {@link openJsonl}. */
export function openLog(path: string): JsonlWriter<NewLogLine> {
  const lines = openJsonl<object>(path);
  let seq = 0;
  return {
    write: (line) => lines.write({ v: 1, seq: ++seq, ...line }),
    close: lines.close,
  };
}

export interface ReadLog {
  readonly lines: readonly LogLine[];
  /** Number of the last line when its writer was stopped in the middle of it; that line is not among `lines`. */
  readonly tornLine: number | null;
}

/**
 * Reads a log. A torn last line is skipped and told; throws an `Error` that names every other line which is not one.
 * Source: scripting sheet, 3.
 */
export function readLog(path: string): ReadLog {
  const { values, tornLine } = readJsonl(path);
  const problems: string[] = [];
  const lines = values.flatMap(({ number, value }) => {
    const checked = check(logLine, value);
    if (checked.ok) return [checked.value];
    problems.push(...checked.problems.map((problem) => `line ${number}: ${showProblem(problem)}`));
    return [];
  });
  if (problems.length > 0) throw new Error(`${path} is not a call log: ${problems.join("; ")}`);
  return { lines, tornLine };
}

/** A line of JSON with its number, from 1. */
export interface NumberedValue {
  readonly number: number;
  readonly value: unknown;
}

/** Reads a file of JSON lines; see {@link readLog} for what is done with torn ones. */
export function readJsonl(path: string): { values: readonly NumberedValue[]; tornLine: number | null } {
  const texts = readFileSync(path, "utf8").split("\n");
  const endsWhole = texts.at(-1) === "";
  if (endsWhole) texts.pop();
  const values: NumberedValue[] = [];
  for (const [index, text] of texts.entries()) {
    const number = index + 1;
    try {
      values.push({ number, value: JSON.parse(text) });
    } catch (error) {
      if (number === texts.length && !endsWhole) return { values, tornLine: number };
      throw new Error(`${path}, line ${number} is not JSON: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { values, tornLine: null };
}
