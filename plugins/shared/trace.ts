import type { Fact } from "../../src/fakes/fact.ts";
import type { JournalEntry } from "../../src/journal/entry.ts";
import type { PendingCall } from "../../src/journal/tests.ts";
import type { ModelTurn } from "../../src/journal/turns.ts";
import { isJsonObject } from "../../src/json.ts";
import { cut, showJson } from "../../src/text.ts";
import { callText } from "./findings.ts";
import { turnText } from "./matchers/turn-list.ts";

/** What a test's agent asked for, with the moment of it. */
export interface Traced {
  readonly asked: readonly (Fact & { readonly startedAt: number })[];
  readonly turns: readonly ModelTurn[];
  readonly pending: readonly PendingCall[];
  /** Every MCP message of its attempt; of these, the trace tells those that asked for no target. */
  readonly messages: readonly JournalEntry[];
}

/**
 * All that a test's agent asked of the server, in order: each call with its answer and its outcome, those without an
 * answer too, each request to a model with what it said, and between them handshakes, lists and refused requests. `null`
 * when nothing was asked.
 *
 * @example
 * traceOf({ asked, turns: [], pending: [], messages });
 * // All that this test asked of the server:
 * //   1. initialize, tools/list on /mcp
 * //   2. get_weather {"city":"Seattle"} on /mcp -> answered: {"content":[]} (weather.json:get_weather#0)
 */
export function traceOf({ asked, turns, pending, messages }: Traced): string | null {
  const steps = [
    ...messages.flatMap(messageStep),
    ...asked.map((fact) => ({ at: fact.startedAt, text: factText(fact) })),
    ...turns.map((turn) => ({ at: turn.startedAt, text: `model: ${turnText(turn)}` })),
    ...pending.map((call) => ({ at: call.startedAt, text: `${callText(call)} -> ${PENDING}` })),
  ];
  if (steps.length === 0) return null;
  const lines = folded(steps.toSorted((one, other) => one.at - other.at));
  return `All that this test asked of the server:\n${lastOf(lines)}`;
}

// --- internal ---

/** How many of many are shown: the last, which are nearest to what failed. */
const SHOWN = 30;

function lastOf(lines: readonly string[]): string {
  const left = lines.length - SHOWN;
  const shown = lines.map((line, index) => `  ${index + 1}. ${line}`).slice(-SHOWN);
  return [...(left > 0 ? [`  … ${left} before`] : []), ...shown].join("\n");
}

const PENDING = "no answer yet when the test ended";

interface Step {
  readonly at: number;
  readonly text: string;
  /** Only on what is told in one line with its neighbours: where it was asked. */
  readonly mount?: string;
}

/** Handshakes and lists stand in one line as long as nothing else comes between them. */
function folded(steps: readonly Step[]): string[] {
  const lines: string[] = [];
  for (const [index, { text, mount }] of steps.entries()) {
    const isFirst = mount === undefined || steps[index - 1]?.mount !== mount;
    const isLast = mount === undefined || steps[index + 1]?.mount !== mount;
    const before = isFirst ? "" : `${lines.pop()}, `;
    lines.push(`${before}${text}${isLast && mount !== undefined ? ` on ${mount}` : ""}`);
  }
  return lines;
}

/** A message that asked for no target. */
function messageStep({ mcp, timestamp: at, path, response, answer }: JournalEntry): Step[] {
  const { refused, status } = response;
  if (refused !== undefined) return [{ at, text: `a request to ${path} -> refused with HTTP ${status}: ${refused}` }];
  if (mcp === null || (mcp.call ?? mcp.read ?? mcp.prompt) !== undefined) return [];
  const { method, mount } = mcp;
  if (method === "notifications/initialized") return []; // the handshake's end
  const error = isJsonObject(answer) && isJsonObject(answer.error) ? answer.error : null;
  const failed = error === null ? "" : ` (error ${error.code}, ${cut(String(error.message), 60)})`;
  return [{ at, text: method + failed, mount }];
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
