import { showJson } from "../../../src/text.ts";
import {
  failureText,
  hasArgs,
  type MatcherContext,
  type MatcherResult,
  paramsOf,
  requireName,
  seen,
} from "./matcher.ts";
import { readSubject, type SubjectIdentity } from "./subject.ts";

/** Passes when the prompt was fetched, with these arguments if some are given. */
export function toHaveUsedPrompt(
  this: MatcherContext,
  received: unknown,
  name: string,
  args?: unknown,
  identity?: SubjectIdentity,
): MatcherResult {
  const matcher = "toHaveUsedPrompt";
  const subject = readSubject(received, matcher, identity);
  requireName(matcher, "the prompt's name", name);
  const uses = paramsOf(subject, "prompts/get").map((params) => ({ name: params.name, args: params.arguments ?? {} }));
  return {
    pass: uses.some((use) => use.name === name && hasArgs(this, use.args, args)),
    message: () => {
      const texts = uses.map((use) => `${String(use.name)} ${showJson(use.args)}`);
      return failureText(this, { matcher, expected: [name, args], subject }, [seen("Prompts used", texts)]);
    },
  };
}
