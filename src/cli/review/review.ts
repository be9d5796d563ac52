import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { FixtureLoadError, McpFakeWarning } from "../../errors.ts";
import type { Block } from "../../fakes/model.ts";
import { type Position, readJsonText } from "../../files/positions.ts";
import type { NamedSource } from "../../fixtures/block-names.ts";
import { findFiles, type NamedFile } from "../../fixtures/files.ts";
import { llmErrors, readLlmFixtures } from "../../fixtures/llm.ts";
import { type FixtureFile, readFixtures } from "../../fixtures/read.ts";
import { entryPaths } from "./entry-paths.ts";
import { readFileBlocks } from "./file-blocks.ts";
import { reviewOtherFormat } from "./other-formats.ts";
import { scopeIdFindings } from "./scope-ids.ts";
import { unfakedCallFindings } from "./unfaked-calls.ts";
import { unreachableFindings } from "./unreachable.ts";

/** Something that is found in a file, where the file's own words name it. */
export interface Finding {
  /** The file's name, as ids and errors have it. */
  readonly file: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What the checks beyond loading look at. */
export interface Reviewed {
  readonly files: readonly FixtureFile[];
  readonly blocks: readonly Block[];
  readonly sources: readonly NamedSource[];
}

/** One problem or warning, in its place. */
export interface Remark extends Position {
  readonly message: string;
  readonly rule?: string;
}

/** What is to be said of one file. */
export interface FileReview {
  /** Its path from the working directory. */
  readonly file: string;
  readonly kind: "fixtures" | "commands" | "proxy";
  readonly fixtures: number;
  readonly mcpFakeBlocks: number;
  readonly errors: readonly Remark[];
  readonly warnings: readonly Remark[];
}

/**
 * Checks fixture files as a load would, ids across all of them included, and looks for what loads but can never work.
 * `testNames` are the tests of a run, in every form in which a scope may name one.
 */
export function review(
  given: readonly string[],
  { cwd, testNames }: { cwd: string; testNames: ReadonlySet<string> | null },
): readonly FileReview[] {
  const others = given.map((path) => reviewOtherFormat(path, cwd));
  const paths = given.filter((_, index) => others[index] === undefined);
  const { files, problems } = readFixtures(paths, { cwd });
  const { sources, blocks, ...read } = readFileBlocks(files);
  const errors = [...problems, ...files.flatMap(turnErrors), ...read.errors];
  const reviewed = { files, blocks, sources };
  const pathOfEntry = entryPaths(sources);
  const warnings = read.warnings.map((warning) => toFinding(warning, pathOfEntry));
  // What is missing may only be missing because its file is wrong: first things first.
  const findings = errors.length > 0 ? warnings : [...warnings, ...deeper(reviewed, { pathOfEntry, testNames })];
  const found = paths.map((path) => ({ path, ...findFiles(path, { cwd, kind: "either" }) }));
  const named = found.flatMap((each) => each.files);
  const empty = found.filter((each) => each.files.length === 0 && each.problems.length === 0);
  return [
    ...reviewsOf(named, { files, errors, findings, cwd }),
    ...reviewsOfMissing(errors, named),
    ...empty.map(({ path }) =>
      reviewOfNothing(path, "no fixture in this folder: no file in it, at any depth, ends in .json"),
    ),
    ...others.filter((each) => each !== undefined),
  ];
}

// --- internal ---

interface Clues {
  readonly pathOfEntry: ReturnType<typeof entryPaths>;
  readonly testNames: ReadonlySet<string> | null;
}

function deeper(reviewed: Reviewed, { pathOfEntry, testNames }: Clues): Finding[] {
  return [
    ...unreachableFindings(reviewed, pathOfEntry),
    ...unfakedCallFindings(reviewed),
    ...(testNames === null ? [] : scopeIdFindings(reviewed, testNames)),
  ];
}

function turnErrors({ name, fixtures, fixturesScope }: FixtureFile): FixtureLoadError[] {
  const reading = readLlmFixtures({ source: name, fixtures, fixturesScope });
  return reading.ok ? [] : llmErrors(reading.problems, name);
}

function toFinding({ file, entryId, message }: McpFakeWarning, pathOfEntry: ReturnType<typeof entryPaths>): Finding {
  return { file: file ?? "", path: pathOfEntry(entryId ?? ""), message };
}

interface Found {
  readonly files: readonly FixtureFile[];
  readonly errors: readonly FixtureLoadError[];
  readonly findings: readonly Finding[];
  readonly cwd: string;
}

/** Files of one name, from different folders, share what is said of that name. */
function reviewsOf(named: readonly NamedFile[], { files, errors, findings, cwd }: Found): FileReview[] {
  return named.map(({ name, path }) => {
    const file = files.find((each) => each.path === path);
    const positionOf = createPositions(path);
    const remark = (at: readonly (string | number)[], message: string) => ({ ...positionOf(at), message });
    return {
      file: relative(cwd, path) || name,
      kind: "fixtures",
      fixtures: file?.fixtures.length ?? 0,
      mcpFakeBlocks: file?.mcpFakes.length ?? 0,
      errors: errors
        .filter((error) => error.file === name)
        .map((error) => ({ ...remark(error.path ?? [], error.message), rule: error.rule })),
      warnings: findings.filter((each) => each.file === name).map((each) => remark(each.path, each.message)),
    };
  });
}

/** A path that leads to no file has a review of its own. */
function reviewsOfMissing(errors: readonly FixtureLoadError[], named: readonly NamedFile[]): FileReview[] {
  const missing = errors.filter((error) => !named.some(({ name }) => name === error.file));
  return missing.map(({ file, message, rule }) => reviewOfNothing(file ?? "", message, rule));
}

function reviewOfNothing(file: string, message: string, rule?: string): FileReview {
  const error = { line: 1, column: 1, message, ...(rule === undefined ? {} : { rule }) };
  return { file, kind: "fixtures", fixtures: 0, mcpFakeBlocks: 0, errors: [error], warnings: [] };
}

/** Reads a file's text again only when something is to be said of it. */
function createPositions(path: string): (at: readonly (string | number)[]) => Position {
  let text: ReturnType<typeof readJsonText> | undefined;
  return (at) => {
    text ??= readJsonText(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
    return "positionOf" in text ? text.positionOf(at) : text.at;
  };
}
