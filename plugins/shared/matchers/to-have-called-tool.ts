import type { Json } from "../../../src/json.ts";
import { closest } from "../findings.ts";
import { callList, hasArgs, type MatcherContext, times } from "./matcher.ts";
import { namedMatcher } from "./named-matcher.ts";
import type { ObservedCall } from "./subject.ts";

/** Passes when the tool was called, with these arguments if some are given. */
export const toHaveCalledTool = namedMatcher({
  matcher: "toHaveCalledTool",
  what: "the tool's name",
  look(subject, { context, name, args }) {
    const all = subject.calls();
    const calls = all.filter(({ tool }) => tool === name);
    const found = calls.filter((call) => hasArgs(context, call.args, args));
    return {
      pass: found.length > 0,
      paragraphs: () =>
        found.length > 0
          ? [`It was called ${times(found.length)}.`, callList(found)]
          : [...nearestCall(context, calls, args), callList(all)],
    };
  },
});

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
