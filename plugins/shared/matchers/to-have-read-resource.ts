import { failureText, type MatcherContext, type MatcherResult, paramsOf, requireName, seen } from "./matcher.ts";
import { readSubject, type SubjectIdentity } from "./subject.ts";

/** Passes when the resource was read. */
export function toHaveReadResource(
  this: MatcherContext,
  received: unknown,
  uri: string,
  identity?: SubjectIdentity,
): MatcherResult {
  const matcher = "toHaveReadResource";
  const subject = readSubject(received, matcher, identity);
  requireName(matcher, "the resource's URI", uri);
  const uris = paramsOf(subject, "resources/read").map((params) => String(params.uri));
  return {
    pass: uris.includes(uri),
    message: () => failureText(this, { matcher, expected: [uri], subject }, [seen("Resources read", uris)]),
  };
}
