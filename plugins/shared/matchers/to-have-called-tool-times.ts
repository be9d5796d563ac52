import { usageError } from "../own-errors.ts";
import { show } from "../show.ts";
import {
  callList,
  failureText,
  hasArgs,
  type MatcherContext,
  type MatcherResult,
  requireName,
  times,
} from "./matcher.ts";
import { readSubject, type SubjectIdentity } from "./subject.ts";
import { nearestCall } from "./to-have-called-tool.ts";

/** Passes when the tool was called exactly so often, with these arguments if some are given. */
export function toHaveCalledToolTimes(
  this: MatcherContext,
  received: unknown,
  name: string,
  count: number,
  args?: unknown,
  identity?: SubjectIdentity,
): MatcherResult {
  const matcher = "toHaveCalledToolTimes";
  const subject = readSubject(received, matcher, identity);
  requireName(matcher, "the tool's name", name);
  if (!Number.isInteger(count) || count < 0) {
    const wanted = "the number of calls as its second argument, a whole number of 0 or more";
    throw usageError(`${matcher}() takes ${wanted}, got ${show(count)}.`);
  }
  const all = subject.calls();
  const calls = all.filter(({ tool }) => tool === name);
  const found = calls.filter((call) => hasArgs(this, call.args, args));
  return {
    pass: found.length === count,
    message: () => {
      const nearest = found.length === 0 ? nearestCall(this, calls, args) : [`It was called ${times(found.length)}.`];
      return failureText(this, { matcher, expected: [name, count, args], subject }, [...nearest, callList(all)]);
    },
  };
}
