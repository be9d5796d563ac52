import { hasFailures } from "../findings.ts";
import { failureText, type MatcherContext, type MatcherResult } from "./matcher.ts";
import { readSubject, type SubjectIdentity } from "./subject.ts";
import { problems } from "./to-have-consumed-all-fakes.ts";

/** Passes when no fake refused a request and none named an unknown tool, resource or prompt. */
export function toHaveNoFakeFailures(
  this: MatcherContext,
  received: unknown,
  identity?: SubjectIdentity,
): MatcherResult {
  const matcher = "toHaveNoFakeFailures";
  const subject = readSubject(received, matcher, identity);
  const findings = subject.findings();
  const pass = !hasFailures(findings.report);
  return {
    pass,
    message: () => {
      const found = pass ? ["No fake failed, and nothing unknown was asked for."] : problems(this, findings);
      return failureText(this, { matcher, expected: [], subject }, found);
    },
  };
}
