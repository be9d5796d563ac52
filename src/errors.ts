import { cut, escapeControls, showName } from "./text.ts";

/**
 * JSON-RPC code of each way a scenario can be wrong.
 * Source: the fakes seed ("API for fakes"). `MCP_FAKE_INTERNAL_ERROR` is deliberately not one of them.
 *
 * @example MCP_FAKE_ERROR_CODES.MCP_FAKE_EXHAUSTED // -31010
 */
export const MCP_FAKE_ERROR_CODES = {
  MCP_FAKE_NOT_DECLARED: -32602,
  MCP_FAKE_MISMATCH: -32602,
  MCP_FAKE_EXHAUSTED: -31010,
  MCP_FAKE_EVICTED: -31011,
} as const;

/** A key of {@link MCP_FAKE_ERROR_CODES}. */
export type McpFakeErrorCode = keyof typeof MCP_FAKE_ERROR_CODES;

/** JSON-RPC codes of the failures that are no fault of a scenario's fakes. */
export const OTHER_FAKE_ERROR_CODES = {
  MCP_FAKE_INTERNAL_ERROR: -32603,
  MCP_FAKE_UNEXPECTED: -32602,
  MCP_TEST_ENDED: -31012,
} as const;

/** Every code that `error.data.aimock.code` can hold. */
export type FakeFailureCode = McpFakeErrorCode | keyof typeof OTHER_FAKE_ERROR_CODES;

/** Names one check of a load: the `rule` of a {@link FixtureLoadError}. Source: the fakes sheet, section 2.1. */
export type LoadRule =
  /** Every block has a scope. */
  | "mcp-fakes/bad-block:a"
  /** A scope is `"shared"` or an object with `testId`, `context` or both. */
  | "mcp-fakes/bad-block:b"
  /** A shared block never closes the world. */
  | "mcp-fakes/bad-block:c"
  /** Every entry of `calls` says what it matches and what it answers. */
  | "mcp-fakes/bad-block:d"
  /** A block declares each tool once. */
  | "mcp-fakes/bad-block:e"
  /** Block and entry ids are unique on their mount. */
  | "mcp-fakes/bad-block:f"
  /** Blocks and tools have the documented shape. */
  | "mcp-fakes/bad-block:g"
  /** Blocks, tools and entries have only documented keys. */
  | "mcp-fakes/bad-block:h"
  /** `mcpFakes` is a block or a non-empty array of blocks. */
  | "mcp-fakes/bad-block:i"
  /** `anyArgs` is `true` or absent. */
  | "mcp-fakes/bad-block:j"
  /** A block's mount is a path that an MCP mock can serve. */
  | "mcp-fakes/mount-conflict"
  /** A file with `mcpFakes` is loaded by a loader that returns them. */
  | "mcp-fakes/loader-cannot-carry-fakes"
  /** Every value of a scripted turn has its documented shape. */
  | "llm-fixtures/bad-value"
  /** Scripted turns have only documented keys. */
  | "llm-fixtures/unknown-key"
  /** Scripted turns ask only for what this server can do whole. */
  | "llm-fixtures/unsupported-key"
  /** A fixture of the mock dialect has the shape that `schema/mock.schema.json` gives. */
  | "mock-fixture/bad-file"
  /** Every fixture path exists and can be read. */
  | "fixtures/unreadable"
  /** Every fixture file is JSON. */
  | "fixtures/bad-json"
  /** A fixture file holds `fixtures`, `mcpFakes` or both, and nothing else. */
  | "fixtures/bad-file";

/** A block that loads but deserves a look: an `args` entry behind an `anyArgs` entry of its tool. */
export interface McpFakeWarning {
  readonly file: string | null;
  readonly blockId: string | null;
  readonly entryId: string | null;
  readonly message: string;
}

/** Where a load problem is and what it is. `blockId` and `entryId` are left out by problems of a whole file. */
export interface LoadProblem {
  readonly rule: LoadRule;
  readonly file: string | null;
  readonly blockId?: string | null;
  readonly entryId?: string | null;
  /** What is wrong, without the place: the message puts it in front. */
  readonly detail: string;
  /** The detail is shown in full: a list of allowed words is of no use when it is cut. */
  readonly isWhole?: boolean;
  /** The value that is wrong, from the root of its file. */
  readonly path?: readonly (string | number)[];
}

/**
 * A fixture or block that cannot be honoured. Its `rule` names the check, its message the file, block and entry.
 * Recognise it by `name`: two copies of this module may meet in one process.
 *
 * @example
 * try { llm.loadFixtureFile("tickets/retry.json"); }
 * catch (error) { if (FixtureLoadError.is(error)) console.error(error.rule, error.message); }
 */
export class FixtureLoadError extends Error {
  override name = "FixtureLoadError";
  readonly rule: LoadRule;
  readonly file: string | null;
  readonly blockId?: string | null;
  readonly entryId?: string | null;
  /** The value that is wrong, from the root of its file, when there is one; its line and column are found with it. */
  readonly path?: readonly (string | number)[];

  constructor(problem: LoadProblem) {
    super(messageOf(problem));
    this.rule = problem.rule;
    this.file = problem.file;
    if (problem.blockId !== undefined) this.blockId = problem.blockId;
    if (problem.entryId !== undefined) this.entryId = problem.entryId;
    if (problem.path !== undefined) this.path = problem.path;
  }

  /** Whether a caught value is a load error of any copy of this module, {@link McpFakesAddError} included. */
  static is(value: unknown): value is FixtureLoadError {
    if (typeof value !== "object" || value === null) return false;
    return "name" in value && "rule" in value && LOAD_ERROR_NAMES.has(String(value.name));
  }

  toJSON(): Record<string, unknown> {
    const { name, rule, file, message, blockId, entryId } = this;
    return {
      name,
      rule,
      file,
      message,
      ...(blockId === undefined ? {} : { blockId }),
      ...(entryId === undefined ? {} : { entryId }),
    };
  }
}

/**
 * All problems of one input. `rule`, `file`, `blockId` and `entryId` are those of the first.
 *
 * @example
 * try { mcp.loadFakes(blocks); }
 * catch (error) { for (const each of error.errors) console.error(each.message); }
 */
export class McpFakesAddError extends FixtureLoadError {
  override name = "McpFakesAddError";
  /** One error per problem, at least one, in the order of the input. */
  readonly errors: readonly FixtureLoadError[];
  readonly warnings: readonly McpFakeWarning[];

  constructor(errors: readonly [FixtureLoadError, ...FixtureLoadError[]], warnings: readonly McpFakeWarning[]) {
    const [first] = errors;
    super({ ...first, detail: "" });
    const more = errors.length - 1;
    this.message = first.message + (more === 0 ? "" : ` (and ${more} more error${more === 1 ? "" : "s"})`);
    this.errors = errors;
    this.warnings = warnings;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), errors: this.errors.map((error) => error.toJSON()), warnings: this.warnings };
  }
}

const LOAD_ERROR_NAMES = new Set(["FixtureLoadError", "McpFakesAddError"]);

/** The one error that stands for these problems: the problem itself when it is alone, else all of them together. */
export function loadErrorOf(
  errors: readonly [FixtureLoadError, ...FixtureLoadError[]],
  warnings: readonly McpFakeWarning[] = [],
): FixtureLoadError {
  return errors.length === 1 && warnings.length === 0 ? errors[0] : new McpFakesAddError(errors, warnings);
}

/** Room for every list of words; what an author wrote may be longer still. */
const WHOLE_CHARS = 2000;

function messageOf({ rule, file, blockId, entryId, detail, isWhole = false }: LoadProblem): string {
  const place = [
    file === null ? "<no file>" : showName(file),
    ...(blockId == null ? [] : [`block ${showName(blockId)}`]),
    ...(entryId == null ? [] : [`entry ${showName(entryId)}`]),
  ];
  const shown = escapeControls(detail);
  return `${place.join(", ")}: [${rule}] ${cut(shown, isWhole ? WHOLE_CHARS : undefined)}`;
}
