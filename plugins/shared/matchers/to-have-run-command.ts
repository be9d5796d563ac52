import { failureText, hasArgs, type MatcherContext, type MatcherResult, requireName, seen } from "./matcher.ts";
import { readSubject, type SubjectIdentity } from "./subject.ts";

/** Passes when the command was run through its shim, with these arguments if some are given. */
export function toHaveRunCommand(
  this: MatcherContext,
  received: unknown,
  name: string,
  args?: unknown,
  identity?: SubjectIdentity,
): MatcherResult {
  const matcher = "toHaveRunCommand";
  const subject = readSubject(received, matcher, identity);
  requireName(matcher, "the command's name", name);
  const runs = subject.commands();
  return {
    pass: runs.some((run) => run.command === name && hasArgs(this, [...run.argv], args)),
    message: () => {
      const texts = runs.map(({ command, argv, exitCode }) => `${[command, ...argv].join(" ")} -> ${exitCode}`);
      return failureText(this, { matcher, expected: [name, args], subject }, [seen("Commands run", texts)]);
    },
  };
}
