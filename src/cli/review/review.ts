import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { FixtureLoadError } from "../../errors.ts";
import { type Position, readJsonText } from "../../files/positions.ts";
import { findAll, type NamedFile } from "../../fixtures/files.ts";
import { llmErrors, readLlmFixtures } from "../../fixtures/llm.ts";
import { type FixtureFile, type ReadFile, readFile } from "../../fixtures/read.ts";
import { showName } from "../../text.ts";
import { entryPath } from "./entry-paths.ts";
import { type FileBlock, readFileBlocks } from "./file-blocks.ts";
import { reviewOtherFormat } from "./other-formats.ts";
import { scopeIdFindings } from "./scope-ids.ts";
import { unfakedCallFindings } from "./unfaked-calls.ts";
import { unreachableFindings } from "./unreachable.ts";

/** Something that is found in a file, where the file's own words name it. */
export interface Finding {
  readonly file: FixtureFile;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What the checks beyond loading look at. */
export interface Reviewed {
  readonly files: readonly FixtureFile[];
  readonly blocks: readonly FileBlock[];
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
  const found = findAll(paths, { cwd, kind: "either" });
  const read = found.files.map((named) => ({ named, ...readFile(named) }));
  const files = read.flatMap(({ file }) => file ?? []);
  const blocks = readFileBlocks(files).read;
  const errorsOf = ({ file, problems }: ReadFile) => [
    ...problems,
    ...(file === null ? [] : turnErrors(file)),
    ...blocks.filter((block) => block.file === file).flatMap(({ errors }) => errors),
  ];
  const checked = read.map((each) => ({ ...each, errors: errorsOf(each) }));
  const warnings = blocks.flatMap(warningsOf);
  const isSound = found.problems.length === 0 && checked.every(({ errors }) => errors.length === 0);
  // What is missing may only be missing because its file is wrong: first things first.
  const findings = isSound ? [...warnings, ...deeper({ files, blocks }, testNames)] : warnings;
  return [
    ...checked.map((each) => reviewOf(each, { blocks, findings, cwd })),
    ...found.problems.map(({ file, message, rule }) => reviewOfNothing(file ?? "", message, rule)),
    ...found.empty.map((path) =>
      reviewOfNothing(path, "no fixture in this folder: no file in it, at any depth, ends in .json"),
    ),
    ...others.filter((each) => each !== undefined),
  ];
}

// --- internal ---

function deeper(reviewed: Reviewed, testNames: ReadonlySet<string> | null): Finding[] {
  return [
    ...unreachableFindings(reviewed),
    ...unfakedCallFindings(reviewed),
    ...(testNames === null ? [] : scopeIdFindings(reviewed, testNames)),
  ];
}

function turnErrors({ name, fixtures, fixturesScope }: FixtureFile): FixtureLoadError[] {
  const reading = readLlmFixtures({ source: name, fixtures, fixturesScope });
  return reading.ok ? [] : llmErrors(reading.problems, name);
}

function warningsOf({ file, source, warnings }: FileBlock): Finding[] {
  return warnings.map(({ entryId, message }) => ({ file, path: entryPath(source, entryId ?? ""), message }));
}

interface CheckedFile extends ReadFile {
  readonly named: NamedFile;
  readonly errors: readonly FixtureLoadError[];
}

function reviewOf(
  { named: { name, path }, file, errors }: CheckedFile,
  { blocks, findings, cwd }: { blocks: readonly FileBlock[]; findings: readonly Finding[]; cwd: string },
): FileReview {
  const text = createText(path);
  const positionOf = createPositions(text);
  const remark = (at: readonly (string | number)[], message: string) => ({ ...positionOf(at), message });
  const pathOf = (error: FixtureLoadError) => {
    const block = blocks.find((each) => each.file === file && each.source.blockId === error.blockId);
    return error.path ?? (block === undefined ? [] : entryPath(block.source, error.entryId ?? ""));
  };
  return {
    file: relative(cwd, path) || name,
    kind: "fixtures",
    fixtures: file?.fixtures.length ?? 0,
    mcpFakeBlocks: file?.mcpFakes.length ?? 0,
    errors: errors.map((error) => ({ ...remark(pathOf(error), error.message), rule: error.rule })),
    warnings: [
      ...(file === null ? [] : repeatedKeys(text())),
      ...findings.filter((each) => each.file === file).map((each) => remark(each.path, each.message)),
    ],
  };
}

function reviewOfNothing(file: string, message: string, rule?: string): FileReview {
  const error = { line: 1, column: 1, message, ...(rule === undefined ? {} : { rule }) };
  return { file, kind: "fixtures", fixtures: 0, mcpFakeBlocks: 0, errors: [error], warnings: [] };
}

type JsonReading = ReturnType<typeof readJsonText>;

/** Reads a file's text again, only when it is asked for. */
function createText(path: string): () => JsonReading {
  let text: JsonReading | undefined;
  return () => {
    text ??= readJsonText(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
    return text;
  };
}

function createPositions(text: () => JsonReading): (at: readonly (string | number)[]) => Position {
  return (at) => {
    const read = text();
    return "positionOf" in read ? read.positionOf(at) : read.at;
  };
}

/** JSON lets an object have a key twice, and drops all but the last of its values. */
function repeatedKeys(text: JsonReading): Remark[] {
  if (!("repeatedKeys" in text)) return [];
  return text.repeatedKeys().map(({ path, at }) => {
    const first = text.positionOf(path);
    const key = showName(String(path.at(-1)));
    return {
      ...at,
      message: `${key} stood in this object before, at ${first.line}:${first.column}: only the last one counts`,
    };
  });
}
