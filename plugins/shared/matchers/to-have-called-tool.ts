import type { Json } from "../../../src/json.ts";
import { closest } from "../findings.ts";
import {
  callList,
  failureText,
  hasArgs,
  type MatcherContext,
  type MatcherResult,
  requireName,
  times,
} from "./matcher.ts";
import { type ObservedCall, readSubject, type SubjectIdentity } from "./subject.ts";

/** Passes when the tool was called, with these arguments if some are given. */
export function toHaveCalledTool(
  this: MatcherContext,
  received: unknown,
  name: string,
  args?: unknown,
  identity?: SubjectIdentity,
): MatcherResult {
  const matcher = "toHaveCalledTool";
  const subject = readSubject(received, matcher, identity);
  requireName(matcher, "the tool's name", name);
  const all = subject.calls();
  const calls = all.filter(({ tool }) => tool === name);
  const found = calls.filter((call) => hasArgs(this, call.args, args));
  return {
    pass: found.length > 0,
    message: () => {
      const paragraphs =
        found.length > 0
          ? [`It was called ${times(found.length)}.`, callList(found)]
          : [...nearestCall(this, calls, args), callList(all)];
      return failureText(this, { matcher, expected: [name, args], subject }, paragraphs);
    },
  };
}

/** The call of the tool that came closest, as the runner's diff. */
export function nearestCall({ utils }: MatcherContext, calls: readonly ObservedCall[], wanted: unknown): string[] {
  if (calls.length === 0 || wanted === undefined) return ["It was never called."];
  const received = closest(
    calls.map(({ args }) => args),
    wanted as Json,
  ); // also asymmetric matchers: then it is a guess
  const diff = utils.diff(wanted, received);
  return [
    `It was called ${times(calls.length)}, never with these arguments. The closest call:`,
    ...(diff ? [diff] : []),
  ];
}
