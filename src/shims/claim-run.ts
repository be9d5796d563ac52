import { callCount, callIndex, inState } from "../fakes/conditions.ts";
import { compilePattern } from "../pattern.ts";
import type { CliAnswer, CliCommandFixture, CliWhen } from "./schema.ts";

/** One run of a command. */
export interface CommandRun {
  readonly command: string;
  readonly argv: readonly string[];
  /** Empty when nobody asked for it. */
  readonly stdin: string;
}

/** How a command stands: how often it ran before, and the state of its scenario. */
export interface CommandState {
  readonly callIndex: number;
  readonly state: string;
}

/** What a run gets. */
export type RunOutcome =
  | { readonly kind: "answered"; readonly entryId: string; readonly answer: CliAnswer }
  | { readonly kind: "unavailable" }
  /** The real command is to run. */
  | { readonly kind: "passthrough" }
  /** Nothing takes it; `declared` is what would have been taken, in words. */
  | { readonly kind: "unexpected"; readonly declared: readonly string[] };

/** Finds what a run gets: the first response that takes it, else the sequence's item, else the default. */
export function claimRun(fixture: CliCommandFixture, run: CommandRun, state: CommandState): RunOutcome {
  if (fixture.unavailable === true) return { kind: "unavailable" };
  const { responses = [], sequence = [] } = fixture;
  const taken = responses.findIndex(({ when }) => when === undefined || takes(when, run, state));
  const response = responses[taken];
  if (response !== undefined) return answered(run, `responses[${taken}]`, response);
  const place = Math.min(state.callIndex, sequence.length - 1);
  const item = sequence[place];
  if (item !== undefined) return answered(run, `sequence[${place}]`, item);
  if (fixture.default !== undefined) return answered(run, "default", fixture.default);
  if (fixture.passthrough === true) return { kind: "passthrough" };
  return { kind: "unexpected", declared: responses.map(({ when }) => showWhen(when ?? {})) };
}

/** Whether a command's answers depend on what ran before: only then is its state kept. */
export function hasState({ responses = [], sequence, default: otherwise }: CliCommandFixture): boolean {
  if (sequence !== undefined || otherwise?.setState !== undefined) return true;
  return responses.some(
    ({ when = {}, setState }) =>
      setState !== undefined ||
      when.callIndex !== undefined ||
      when.callCount !== undefined ||
      when.state !== undefined,
  );
}

/** Whether some answer depends on standard input. It is read only then: a caller's may never end. */
export function readsStdin({ responses = [] }: CliCommandFixture): boolean {
  return responses.some(({ when }) => when?.stdinMatch !== undefined);
}

/** Patterns of a fixture that are none, with their paths. */
export function patternProblems({ responses = [] }: CliCommandFixture): { path: (string | number)[]; text: string }[] {
  return responses.flatMap(({ when = {} }, index) =>
    (["argsMatch", "stdinMatch"] as const).flatMap((key) => {
      const compiled = when[key] === undefined ? null : compilePattern(when[key]);
      return compiled === null || compiled.ok
        ? []
        : { path: ["responses", index, "when", key], text: `is not a regular expression: ${compiled.problem}` };
    }),
  );
}

// --- internal ---

function answered({ command }: CommandRun, key: string, answer: CliAnswer): RunOutcome {
  return { kind: "answered", entryId: `${command}.${key}`, answer };
}

function takes(when: CliWhen, { argv, stdin }: CommandRun, { callIndex: index, state }: CommandState): boolean {
  const situation = { received: null, callIndex: index, state };
  const conditions = [
    ...(when.callIndex === undefined ? [] : [callIndex({ min: when.callIndex, max: when.callIndex })]),
    ...(when.callCount === undefined
      ? []
      : [callCount({ min: when.callCount.min ?? 0, max: when.callCount.max ?? Number.POSITIVE_INFINITY })]),
    ...(when.state === undefined ? [] : [inState(when.state)]),
  ];
  return (
    (when.args === undefined || beginsWith(argv, when.args, when.exact === true)) &&
    (when.argsMatch === undefined || matches(when.argsMatch, argv.join(" "))) &&
    (when.stdinMatch === undefined || matches(when.stdinMatch, stdin)) &&
    conditions.every((condition) => [...condition.reasons(situation)].length === 0)
  );
}

function beginsWith(argv: readonly string[], words: readonly string[], isExact: boolean): boolean {
  return words.every((word, index) => argv[index] === word) && (!isExact || argv.length === words.length);
}

function matches(source: string, text: string): boolean {
  const compiled = compilePattern(source);
  return compiled.ok && compiled.pattern.test(text);
}

function showWhen({ $schema: _schema, _comment, ...when }: CliWhen): string {
  const parts = Object.entries(when).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return parts.length === 0 ? "any arguments" : parts.join(", ");
}
