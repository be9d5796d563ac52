import { failureText, type MatcherContext, type MatcherResult, paramsOf, times } from "./matcher.ts";
import { readSubject, type SubjectIdentity } from "./subject.ts";

/** Passes when the tools were listed. */
export function toHaveListedTools(this: MatcherContext, received: unknown, identity?: SubjectIdentity): MatcherResult {
  const matcher = "toHaveListedTools";
  const subject = readSubject(received, matcher, identity);
  const count = paramsOf(subject, "tools/list").length;
  return {
    pass: count > 0,
    message: () => failureText(this, { matcher, expected: [], subject }, [`tools/list was sent ${times(count)}.`]),
  };
}
