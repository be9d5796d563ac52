import { closestMismatch, type Findings, problemParagraphs } from "../findings.ts";
import { failureText, type MatcherContext, type MatcherResult } from "./matcher.ts";
import { readSubject, type SubjectIdentity } from "./subject.ts";

/** Passes when every test-scoped entry of the test was used, every test-scoped fault came and no fake failed. */
export function toHaveConsumedAllFakes(
  this: MatcherContext,
  received: unknown,
  identity?: SubjectIdentity,
): MatcherResult {
  const matcher = "toHaveConsumedAllFakes";
  const subject = readSubject(received, matcher, identity);
  const findings = subject.findings();
  const { ok } = findings.report;
  return {
    pass: ok,
    message: () => {
      const found = ok ? ["No fake failed, and every fake was used."] : problems(this, findings);
      return failureText(this, { matcher, expected: [], subject }, found);
    },
  };
}

/** What is wrong, and the runner's diff of the first mismatch. */
export function problems({ utils }: MatcherContext, findings: Findings): string[] {
  const mismatch = closestMismatch(findings.facts() ?? []);
  const diff = mismatch === null ? null : utils.diff(mismatch.expected, mismatch.received);
  return [...problemParagraphs(findings), ...(diff ? [`The first mismatch, beside the closest fake:\n\n${diff}`] : [])];
}
