import { failureText, type MatcherContext, type MatcherResult, requireName } from "./matcher.ts";
import { readSubject, type Subject, type SubjectIdentity } from "./subject.ts";

/** A matcher of something that is asked for by name, with arguments if some are given. */
export type NamedMatcher = (
  this: MatcherContext,
  received: unknown,
  name: string,
  args?: unknown,
  identity?: SubjectIdentity,
) => MatcherResult;

/** What tells one of these matchers from the others. */
export interface NamedRules {
  readonly matcher: string;
  /** What its first argument is, as a refusal says it. */
  readonly what: string;
  /** What was found in the subject, and how a failure words it. */
  look(subject: Subject, wanted: Wanted): { readonly pass: boolean; readonly paragraphs: () => readonly string[] };
}

/** What the test asks for. */
export interface Wanted {
  readonly context: MatcherContext;
  readonly name: string;
  readonly args: unknown;
}

export function namedMatcher({ matcher, what, look }: NamedRules): NamedMatcher {
  return function (received, name, args, identity) {
    const subject = readSubject(received, matcher, identity);
    requireName(matcher, what, name);
    const { pass, paragraphs } = look(subject, { context: this, name, args });
    return { pass, message: () => failureText(this, { matcher, expected: [name, args], subject }, paragraphs()) };
  };
}
