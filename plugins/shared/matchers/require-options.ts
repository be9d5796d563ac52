import { usageError } from "../own-errors.ts";
import { show } from "../show.ts";

/** A misspelt option would let calls pass that it was written to forbid. */
export function requireOptions(matcher: string, options: unknown, allowed: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw usageError(`${matcher}() takes its options as an object with ${allowed.join(", ")}, got ${show(options)}.`);
  }
  const unknown = Object.keys(options).filter((name) => !allowed.includes(name));
  if (unknown.length === 0) return;
  throw usageError(
    `${matcher}() has no option ${unknown.map(show).join(", ")}. Its options are ${allowed.join(", ")}.`,
  );
}
