import { isJsonObject, type Json, type JsonObject } from "../../../src/json.ts";
import { cut } from "../../../src/text.ts";
import { callText, list } from "../findings.ts";
import { usageError } from "../own-errors.ts";
import { show } from "../show.ts";
import type { ObservedCall, Subject } from "./subject.ts";

/** What every runner gives to a matcher as `this`, as far as these matchers use it. */
export interface MatcherContext {
  readonly isNot?: boolean;
  readonly customTesters?: readonly unknown[];
  equals(received: unknown, expected: unknown, testers?: readonly unknown[]): boolean;
  readonly utils: {
    diff(expected: unknown, received: unknown): string | null | undefined;
    stringify(value: unknown): string;
    matcherHint(name: string, received: string, expected: string, options: { isNot: boolean }): string;
  };
}

/** What a matcher answers. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The whole text of a failure: the matcher as it was written, the test, then what was found. */
export function failureText(
  { utils, isNot = false }: MatcherContext,
  { matcher, expected, subject }: { matcher: string; expected: readonly unknown[]; subject: Subject },
  paragraphs: readonly string[],
): string {
  const given = expected.filter((value) => value !== undefined).map((value) => oneLine(value, utils));
  const hint = utils.matcherHint(matcher, subject.name, given.join(", "), { isNot });
  const test = subject.testId === null ? [] : [`Test: ${subject.testId}`];
  return [hint, ...test, ...paragraphs].join("\n\n");
}

/** A value as the test may have written it; the text of an asymmetric matcher is the runner's. */
function oneLine(value: unknown, { stringify }: MatcherContext["utils"]): string {
  const text = JSON.stringify(value, (_, part) =>
    typeof part?.asymmetricMatch === "function" ? stringify(part).replace(/\s+/g, " ") : part,
  );
  return cut(text ?? String(value));
}

/** Whether a call's arguments are the wanted ones, by the runner's equality: asymmetric matchers and testers count. */
export function hasArgs({ equals, customTesters = [] }: MatcherContext, args: Json, wanted: unknown): boolean {
  return wanted === undefined || equals(args, wanted, customTesters);
}

/** A test's calls as a numbered list. */
export function callList(calls: readonly ObservedCall[]): string {
  return seen("Tool calls", calls.map(callText));
}

/** `1 time`, `2 times`. */
export function times(count: number): string {
  return count === 1 ? "1 time" : `${count} times`;
}

/** Refuses a name that cannot be one: a matcher must never pass, or fail, on a slip of the pen. */
export function requireName(matcher: string, what: string, name: unknown): asserts name is string {
  if (typeof name === "string" && name !== "") return;
  throw usageError(`${matcher}() takes ${what} as its first argument, a non-empty string, got ${show(name)}.`);
}

/** The parameters of a subject's messages of one method, oldest first. */
export function paramsOf(subject: Subject, method: string): JsonObject[] {
  return subject.messages().flatMap(({ mcp }) => {
    if (mcp?.method !== method) return [];
    return [isJsonObject(mcp.params) ? mcp.params : {}];
  });
}

/** What was seen, as a numbered list. */
export function seen(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? `${title}: none.` : `${title}:\n${list(lines)}`;
}
