import type { MatcherSubject, McpFakesMatchers, WrongSubject } from "../shared/matchers/types.ts";

/** The matchers on what `expect` was given; behind `.resolves` and `.rejects`, on what its promise holds. */
export type MatchersOn<R, Given> = {
  [Name in keyof McpFakesMatchers]: McpFakesMatchers[Name] extends (...args: infer Args) => void
    ? (
        this: (R extends void ? Given : Awaited<Given>) extends MatcherSubject ? unknown : WrongSubject,
        ...args: Args
      ) => R
    : never;
};
