import { setTimeout } from "node:timers/promises";
import { differences } from "../difference.ts";
import type { WrongAnswer } from "../fakes/answer.ts";
import type { Entry } from "../fakes/model.ts";
import type { AskStep, Step } from "../fakes/step.ts";
import type { JsonObject } from "../json.ts";
import type { McpCallContext } from "./call/call-context.ts";
import type { Link } from "./call/link.ts";

/**
 * Does what an entry says before its answer: one scripted line serves every revision. Resolves to the answer of the
 * client's that the scenario does not expect, else to `null`. Rejects when the client cannot be asked.
 */
export async function playSteps(
  { id, steps }: Pick<Entry, "id" | "steps">,
  context: McpCallContext,
  link: Link,
): Promise<WrongAnswer | null> {
  for (const step of steps) {
    const wrong = await play(step, context, link);
    if (wrong !== null) return { entryId: id, ...wrong };
  }
  return null;
}

type Wrong = Omit<WrongAnswer, "entryId">;

async function play(step: Step, context: McpCallContext, link: Link): Promise<Wrong | null> {
  switch (step.kind) {
    case "progress":
      context.progress(step.progress, step.total, step.message);
      return null;
    case "log":
      context.log(step.level, step.data, step.logger);
      return null;
    case "delay":
      // A later round of the call has waited already.
      if (!link.isRepeating()) await setTimeout(step.ms, undefined, { signal: link.signal });
      return null;
    case "close-stream":
      context.closeStream(step.retryMs);
      return null;
    case "elicit":
    case "sample":
    case "roots":
      return ask(step, context);
  }
}

async function ask({ kind, params, key, expect }: AskStep, context: McpCallContext): Promise<Wrong | null> {
  const options = key === null ? {} : { key };
  const asked = kind === "roots" ? context.roots(options) : context[kind](params, options);
  // A client's answer is JSON; its type says only which keys it has.
  const received: JsonObject = { ...(await asked) } as JsonObject;
  if (expect === null) return null;
  const [difference] = differences(expect, received, { partial: true });
  return difference === undefined ? null : { question: kind, expected: expect, received, difference: difference.text };
}
