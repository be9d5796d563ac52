import type { Fact } from "../../src/fakes/fact.ts";
import type { ModelTurn } from "../../src/journal/turns.ts";
import { cut, showJson } from "../../src/text.ts";
import { callText, shortList } from "./findings.ts";
import { turnText } from "./matchers/turn-list.ts";

/** What a test's agent asked for, with the moment of it. */
export interface Traced {
  readonly asked: readonly (Fact & { readonly startedAt: number })[];
  readonly turns: readonly ModelTurn[];
}

/**
 * All that a test's agent asked of the server, in order: each call with its answer and its outcome, each request to a
 * model with what it said. `null` when nothing was asked.
 *
 * @example
 * traceOf({ asked, turns: [] });
 * // All that this test asked of the server:
 * //   1. get_weather {"city":"Seattle"} on /mcp -> answered: {"content":[]} (weather.json:get_weather#0)
 */
export function traceOf({ asked, turns }: Traced): string | null {
  const steps = [
    ...asked.map((fact) => ({ at: fact.startedAt, text: factText(fact) })),
    ...turns.map((turn) => ({ at: turn.startedAt, text: `model: ${turnText(turn)}` })),
  ];
  if (steps.length === 0) return null;
  const lines = steps.toSorted((one, other) => one.at - other.at).map(({ text }) => text);
  return `All that this test asked of the server:\n${shortList(lines)}`;
}

function factText(fact: Fact): string {
  const entry = fact.entryId === null ? "" : ` (${fact.entryId})`;
  const fault = fact.fault === undefined ? "" : ` with the fault ${fact.fault}`;
  return `${callText(fact)} -> ${fact.outcome}${fault}: ${answerText(fact)}${entry}`;
}

/** An error's text stands at length in the verdict. */
function answerText({ result, error }: Fact): string {
  if (error !== null) return `error ${error.code}, ${cut(error.message, 60)}`;
  return result === null ? "no answer" : showJson(result);
}
