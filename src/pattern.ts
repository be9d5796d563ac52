import { createContext, Script } from "node:vm";
import { cut, escapeControls } from "./text.ts";

/** A regular expression from a fixture: searched, not anchored. */
export interface Pattern {
  /** As the author wrote it. */
  readonly source: string;
  /** Throws an `Error` when the search takes too long. */
  test(text: string): boolean;
}

export type CompiledPattern =
  | { readonly ok: true; readonly pattern: Pattern }
  | { readonly ok: false; readonly problem: string };

/** Longest time that one search may take, in milliseconds. */
const SEARCH_MS = 1000;

/**
 * Compiles a JavaScript regular expression; a leading `(?i)`, `(?s)`, `(?m)` or a mix becomes its flags.
 * Source: scripting sheet, 1.
 *
 * @example compilePattern("(?i)good first issue")
 */
export function compilePattern(source: string): CompiledPattern {
  const [prefix = "", flags = ""] = /^\(\?([ism]+)\)/.exec(source) ?? [];
  let expression: RegExp;
  try {
    expression = new RegExp(source.slice(prefix.length), [...new Set(flags)].join(""));
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
  return { ok: true, pattern: { source, test: (text) => searchFor(expression, text) !== null } };
}

/** The source of an expression that finds exactly this text. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/**
 * What `expression.exec(text)` answers. JavaScript's own expressions can take time without end on the wrong text, and no
 * other engine knows all of their syntax: so they run where time can be limited. Throws an `Error` when it takes too long.
 */
export function searchFor(expression: RegExp, text: string): RegExpExecArray | null {
  sandbox ??= createSandbox();
  sandbox.values.expression = expression;
  sandbox.values.text = text;
  try {
    return sandbox.script.runInContext(sandbox.values, { timeout: SEARCH_MS });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    const shown = cut(escapeControls(String(expression)));
    throw new Error(`the pattern ${shown} took more than ${SEARCH_MS} ms on a text of ${text.length} characters`);
  }
}

// --- internal ---

/** The error may come from another realm, as test runners make them. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}

interface Sandbox {
  readonly script: Script;
  readonly values: { expression: RegExp | null; text: string };
}

let sandbox: Sandbox | undefined;

function createSandbox(): Sandbox {
  const values = { expression: null, text: "" };
  createContext(values);
  return { script: new Script("expression.exec(text)"), values };
}
