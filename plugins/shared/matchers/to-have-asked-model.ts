import { usageError } from "../own-errors.ts";
import { show } from "../show.ts";
import { failureText, type MatcherContext, type MatcherResult, times } from "./matcher.ts";
import { readSubject, type SubjectIdentity } from "./subject.ts";
import { turnList } from "./turn-list.ts";

/** Passes when a model was asked: at least once, or exactly so often. Embeddings ask no model for an answer. */
export function toHaveAskedModel(
  this: MatcherContext,
  received: unknown,
  count?: number,
  identity?: SubjectIdentity,
): MatcherResult {
  const matcher = "toHaveAskedModel";
  const subject = readSubject(received, matcher, identity);
  if (count !== undefined && (!Number.isInteger(count) || count < 0)) {
    const wanted = "the number of requests as its first argument, 0 or more";
    throw usageError(`${matcher}() takes ${wanted}, got ${show(count)}.`);
  }
  const turns = subject.turns();
  return {
    pass: count === undefined ? turns.length > 0 : turns.length === count,
    message: () => {
      const asked = turns.length === 0 ? "No model was asked." : `A model was asked ${times(turns.length)}.`;
      return failureText(this, { matcher, expected: [count], subject }, [asked, ...turnList(turns)]);
    },
  };
}
