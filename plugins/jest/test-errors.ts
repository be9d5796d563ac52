import { createRequire } from "node:module";
import { types } from "node:util";
import type { Circus } from "@jest/types";
import { thrownText } from "../../src/text.ts";
import { plainError, withoutOwnFrames } from "../shared/own-errors.ts";
import type { Verdict } from "../shared/verdict.ts";
import { findInJest } from "./find-jest.ts";

/** What is said of a test that failed. */
export interface Told {
  readonly told: Verdict | null;
  readonly trace: string | null;
}

/**
 * A verdict as an error of its test, with Jest's own diff, and what the test asked of the server, since Jest has no other
 * place for it. `null` when there is neither.
 */
export function toError({ told, trace }: Told, test: Circus.TestEntry, root: string): Error | null {
  const paragraphs = [...verdictParagraphs(told, root), ...(trace === null ? [] : [trace])];
  if (paragraphs.length === 0) return null;
  const error = plainError(paragraphs.join("\n\n"), told?.frames);
  showPlace(error, test);
  return error;
}

function verdictParagraphs(told: Verdict | null, root: string): string[] {
  if (told === null) return [];
  const { message, mismatch } = told;
  const paragraphs = [message];
  if (mismatch !== null) {
    const { diff }: typeof import("jest-matcher-utils") = createRequire(findInJest("jest-circus/runner", root))(
      "jest-matcher-utils",
    );
    const text = diff(mismatch.expected, mismatch.received);
    if (text !== null) paragraphs.push("The first mismatch, beside the closest fake:", text);
  }
  return paragraphs;
}

/** Lets an error's stack lead to the user's code alone; if nothing else is left, to where the test is written. */
export function showPlace(error: unknown, { asyncError }: Circus.TestEntry): void {
  if (!types.isNativeError(error)) return;
  const stack = withoutOwnFrames(error);
  const ofTest = FRAME.test(stack) ? [] : (String(asyncError.stack).match(new RegExp(FRAME, "gm")) ?? []);
  Reflect.set(error, "stack", [stack, ...ofTest].join("\n"));
}

/** Whether the test or one of its hooks took too long. Jest says so with a text in place of an error. */
export function isTimedOut({ errors }: Circus.TestEntry): boolean {
  return errors.flat().some((error) => /^Exceeded timeout of \d+ ms for a (test|hook)/.test(thrownText(error)));
}

const FRAME = /^\s+at .*$/m;
