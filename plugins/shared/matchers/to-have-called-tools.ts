import { callText } from "../findings.ts";
import { usageError } from "../own-errors.ts";
import { show } from "../show.ts";
import { callList, failureText, hasArgs, type MatcherContext, type MatcherResult } from "./matcher.ts";
import { requireOptions } from "./require-options.ts";
import { IDENTITY_KEYS, type ObservedCall, readSubject, type SubjectIdentity } from "./subject.ts";

/** A tool's name, or its name and its arguments. */
export type WantedCall = string | readonly [name: string, args: unknown];

/** `exactly`: no other call may come before, between or after. */
export interface CalledToolsOptions extends SubjectIdentity {
  exactly?: boolean;
}

/** Passes when these calls were made in this order; others may stand between them. */
export function toHaveCalledTools(
  this: MatcherContext,
  received: unknown,
  wanted: readonly WantedCall[],
  options: CalledToolsOptions = {},
): MatcherResult {
  const matcher = "toHaveCalledTools";
  requireOptions(matcher, options, OPTIONS);
  const { exactly = false, ...identity } = options;
  const subject = readSubject(received, matcher, identity);
  const steps = readSteps(matcher, wanted);
  const calls = subject.ordered();
  const fits = (call: ObservedCall, step: Step) => call.tool === step.name && hasArgs(this, call.args, step.args);
  const missing = exactly ? firstUnequal(calls, steps, fits) : firstMissing(calls, steps, fits);
  return {
    pass: missing === null,
    message: () => {
      const expected = [wanted, exactly ? { exactly } : undefined];
      const found = [missing ?? "They were called in this order.", callList(calls)];
      return failureText(this, { matcher, expected, subject }, found);
    },
  };
}

const OPTIONS = ["exactly", ...IDENTITY_KEYS] as const satisfies (keyof CalledToolsOptions)[];

interface Step {
  readonly name: string;
  readonly args: unknown;
}

type Fits = (call: ObservedCall, step: Step) => boolean;

function readSteps(matcher: string, wanted: readonly WantedCall[]): Step[] {
  if (!Array.isArray(wanted)) {
    throw usageError(`${matcher}() takes an array of names or [name, args], got ${show(wanted)}.`);
  }
  return wanted.map((item: unknown, index) => {
    const [name, args] = Array.isArray(item) ? item : [item];
    if (typeof name === "string" && name !== "") return { name, args };
    const where = `in place ${index + 1} of its list`;
    throw usageError(`${matcher}() takes ${where} a tool's name or [name, args], got ${show(item)}.`);
  });
}

/** The first wanted call that does not come after those before it. */
function firstMissing(calls: readonly ObservedCall[], steps: readonly Step[], fits: Fits): string | null {
  let from = 0;
  for (const [index, step] of steps.entries()) {
    const at = calls.findIndex((call, place) => place >= from && fits(call, step));
    if (at === -1)
      return `Call ${index + 1} of the list, ${step.name}, is missing${from === 0 ? "" : ` after call ${from}`}.`;
    from = at + 1;
  }
  return null;
}

/** The first place where the calls are not exactly the wanted ones. */
function firstUnequal(calls: readonly ObservedCall[], steps: readonly Step[], fits: Fits): string | null {
  for (const [index, step] of steps.entries()) {
    const call = calls[index];
    if (call === undefined) return `Call ${index + 1} of the list, ${step.name}, is missing.`;
    if (!fits(call, step)) return `Call ${index + 1} is not the one of the list, ${step.name}, but ${callText(call)}.`;
  }
  const extra = calls[steps.length];
  return extra === undefined ? null : `Call ${steps.length + 1} is one too many: ${callText(extra)}.`;
}
