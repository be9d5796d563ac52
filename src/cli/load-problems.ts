import { FixtureLoadError } from "../errors.ts";

/** All problems of a load, a line each, then its warnings. Throws again what is no load error. */
export function loadProblemLines(error: unknown): string[] {
  if (!FixtureLoadError.is(error)) throw error;
  const errors = "errors" in error && Array.isArray(error.errors) ? error.errors : [error];
  const warnings = "warnings" in error && Array.isArray(error.warnings) ? error.warnings : [];
  return [
    ...errors.map(({ message }) => `error: ${message}`),
    ...warnings.map(({ message }) => `warning: ${message}`),
  ];
}
