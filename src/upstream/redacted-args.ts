import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { escapePattern } from "../pattern.ts";
import { REDACTED } from "./redact.ts";

/** What calls were like whose secrets are not known any more. */
export interface RedactedArgs {
  /** What is known, to be found among the arguments; `null` when nothing is. */
  readonly args: JsonObject | null;
  /** A pattern by dotted path for what is not, and for all of an array that holds such. */
  readonly argsMatch: Readonly<Record<string, string>>;
}

/** How to recognise calls by recorded arguments of which secrets were taken out; `null` when none were. */
export function redactedArgs(recorded: JsonObject): RedactedArgs | null {
  if (!holdsRedacted(recorded)) return null;
  const patterns: [string, string][] = [];

  function known(value: JsonObject, path: readonly string[]): JsonObject {
    const members = Object.entries(value).flatMap(([key, member]): [string, Json][] => {
      if (key.includes(REDACTED)) return [];
      if (!holdsRedacted(member)) return [[key, member]];
      const at = [...path, key];
      if (isJsonObject(member)) return [[key, known(member, at)]];
      addPatterns(member, at);
      return [];
    });
    return Object.fromEntries(members);
  }

  /** Arrays are compared whole, so that one with a gap is told item by item. */
  function addPatterns(value: Json, path: readonly string[]): void {
    if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value)) addPatterns(member, [...path, key]);
    } else if (!path.some((step) => step.includes("."))) {
      patterns.push([path.join("."), patternOf(typeof value === "string" ? value : JSON.stringify(value))]);
    }
  }

  const args = known(recorded, []);
  return { args: Object.keys(args).length === 0 ? null : args, argsMatch: Object.fromEntries(patterns) };
}

/** A pattern that takes a text, and anything in place of its secrets. */
export function patternOf(text: string): string {
  return `^${text.split(REDACTED).map(escapePattern).join("[\\s\\S]*")}$`;
}

/** Whether a secret was taken out of a value. */
export function holdsRedacted(value: Json): boolean {
  return JSON.stringify(value).includes(REDACTED);
}
