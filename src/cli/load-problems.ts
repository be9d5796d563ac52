import { FixtureLoadError } from "../errors.ts";

/** What a load found, a line each. */
export interface ProblemLines {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** All problems and warnings of a load that failed. Throws again what is no load error. */
export function problemLines(error: unknown): ProblemLines {
  if (!FixtureLoadError.is(error)) throw error;
  const errors = "errors" in error && Array.isArray(error.errors) ? error.errors : [error];
  const warnings = "warnings" in error && Array.isArray(error.warnings) ? error.warnings : [];
  return {
    errors: errors.map(({ message }) => `error: ${message}`),
    warnings: warnings.map(({ message }) => `warning: ${message}`),
  };
}
