import { showJson } from "../../../src/text.ts";
import { hasArgs, paramsOf, seen } from "./matcher.ts";
import { namedMatcher } from "./named-matcher.ts";

/** Passes when the prompt was fetched, with these arguments if some are given. */
export const toHaveUsedPrompt = namedMatcher({
  matcher: "toHaveUsedPrompt",
  what: "the prompt's name",
  look(subject, { context, name, args }) {
    const uses = paramsOf(subject, "prompts/get").map((params) => ({
      name: params.name,
      args: params.arguments ?? {},
    }));
    return {
      pass: uses.some((use) => use.name === name && hasArgs(context, use.args, args)),
      paragraphs: () => [
        seen(
          "Prompts used",
          uses.map((use) => `${String(use.name)} ${showJson(use.args)}`),
        ),
      ],
    };
  },
});
