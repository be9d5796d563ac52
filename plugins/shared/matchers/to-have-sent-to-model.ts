import { usageError } from "../own-errors.ts";
import { show } from "../show.ts";
import { failureText, type MatcherContext, type MatcherResult } from "./matcher.ts";
import { readSubject, type SubjectIdentity } from "./subject.ts";
import { sentTexts, turnList } from "./turn-list.ts";

/** Passes when a message of a request to a model holds the text, or matches it. */
export function toHaveSentToModel(
  this: MatcherContext,
  received: unknown,
  text: string | RegExp,
  identity?: SubjectIdentity,
): MatcherResult {
  const matcher = "toHaveSentToModel";
  const subject = readSubject(received, matcher, identity);
  if (!(text instanceof RegExp) && (typeof text !== "string" || text === "")) {
    throw usageError(`${matcher}() takes a non-empty string or a RegExp as its first argument, got ${show(text)}.`);
  }
  const turns = subject.turns();
  // A RegExp with a `g` or `y` flag would go on from where it matched last.
  const holds = (sent: string) => (typeof text === "string" ? sent.includes(text) : sent.search(text) !== -1);
  const found = turns.filter((turn) => sentTexts(turn).some(holds));
  return {
    pass: found.length > 0,
    message: () => {
      const paragraphs =
        found.length > 0 ? ["It was sent.", ...turnList(found)] : ["It was never sent.", ...turnList(turns)];
      return failureText(this, { matcher, expected: [text], subject }, paragraphs);
    },
  };
}
