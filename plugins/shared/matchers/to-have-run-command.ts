import { hasArgs, seen } from "./matcher.ts";
import { namedMatcher } from "./named-matcher.ts";

/** Passes when the command was run through its shim, with these arguments if some are given. */
export const toHaveRunCommand = namedMatcher({
  matcher: "toHaveRunCommand",
  what: "the command's name",
  look(subject, { context, name, args }) {
    const runs = subject.commands();
    return {
      pass: runs.some((run) => run.command === name && hasArgs(context, [...run.argv], args)),
      paragraphs: () => [
        seen(
          "Commands run",
          runs.map(({ command, argv, exitCode }) => `${[command, ...argv].join(" ")} -> ${exitCode}`),
        ),
      ],
    };
  },
});
