import { showJson } from "../text.ts";
import {
  chatShape,
  type Endpoint,
  hasToolResult,
  lastToolResult,
  lastUserText,
  systemText,
  type Turn,
} from "./turn.ts";

/** What a fixture asks of a turn, checked. All of it must hold; what is absent asks nothing. */
export interface TurnMatch {
  readonly endpoint?: Endpoint | undefined;
  readonly model?: string | RegExp | undefined;
  readonly userMessage?: string | RegExp | undefined;
  readonly systemMessage?: string | readonly string[] | RegExp | undefined;
  readonly inputText?: string | RegExp | undefined;
  readonly toolCallId?: string | undefined;
  readonly toolResultContains?: string | undefined;
  readonly toolName?: string | undefined;
  readonly responseFormat?: string | undefined;
  readonly hasToolResult?: boolean | undefined;
  readonly context?: string | undefined;
  readonly turnIndex?: number | undefined;
  readonly sequenceIndex?: number | undefined;
  readonly predicate?: ((request: unknown) => boolean) | undefined;
}

/** One request as the match fields see it. */
export interface Asking {
  readonly turn: Turn;
  readonly context: string | null;
  /** How often the fixture at hand, or a sequenced sibling of it, has answered this test id. */
  readonly count: number;
}

/** How one key of `match` is held against a request. */
export interface MatchField {
  readonly key: keyof TurnMatch;
  /** True when the fixture does not use this key, or the request satisfies it. */
  holds(match: TurnMatch, asking: Asking): boolean;
  /** `match.userMessage: expected text containing "refund", received "hello"`; `null` when it holds. */
  difference(match: TurnMatch, asking: Asking): string | null;
  /** How an index may file a fixture by this key: its value stands in the request's, or equals it. */
  readonly filed?: {
    readonly by: "part" | "whole";
    key(match: TurnMatch): string | null;
    texts(turn: Turn): readonly string[];
  };
}

/**
 * Every key of `match`, in the order in which differences are told. Validation, matching, the index and the
 * explanation of a miss all walk this table. `turnIndex` is missing on purpose: it never excludes a fixture, it
 * chooses between those that fit (see select.ts).
 */
export const MATCH_FIELDS: readonly MatchField[] = [
  field("endpoint", {
    read: ({ turn }) => turn.endpoint,
    accepts: (expected, received) => expected === received,
    wants: showJson,
  }),
  field("context", {
    read: ({ context }) => context,
    accepts: (expected, received) => expected === received,
    wants: showJson,
  }),
  field("model", {
    read: ({ turn }) => turn.model,
    accepts: (expected, received) =>
      expected instanceof RegExp ? expected.test(received) : isModelOrDated(expected, received),
    wants: (expected) => (expected instanceof RegExp ? `a name matching ${expected}` : showJson(expected)),
  }),
  field("toolCallId", {
    read: ({ turn }) => lastToolResult(turn)?.toolCallId ?? null,
    accepts: (expected, received) => expected === received,
    wants: (expected) => `the last message to be the result of tool call ${showJson(expected)}`,
    filed: { by: "whole", texts: (turn) => present(lastToolResult(turn)?.toolCallId) },
  }),
  field("userMessage", {
    read: ({ turn }) => lastUserText(turn),
    accepts: contains,
    wants: wantsText,
    filed: { by: "part", texts: (turn) => present(lastUserText(turn)) },
  }),
  field("toolResultContains", {
    read: ({ turn }) => lastToolResult(turn)?.text ?? null,
    accepts: contains,
    wants: (expected) => `the last message to be a tool result with ${wantsText(expected)}`,
    filed: { by: "part", texts: (turn) => present(lastToolResult(turn)?.text) },
  }),
  field("inputText", {
    read: ({ turn }) => (turn.inputs.length === 0 ? null : turn.inputs.join("\n")),
    accepts: contains,
    wants: wantsText,
    filed: { by: "part", texts: (turn) => [turn.inputs.join("\n")] },
  }),
  field("systemMessage", {
    read: ({ turn }) => systemText(turn),
    accepts: (expected, received) =>
      isList(expected) ? expected.every((part) => contains(part, received)) : contains(expected, received),
    wants: (expected) =>
      isList(expected) ? `text containing each of ${showJson([...expected])}` : wantsText(expected),
    filed: { by: "part", texts: (turn) => present(systemText(turn)) },
  }),
  field("hasToolResult", {
    read: ({ turn }) => hasToolResult(turn),
    accepts: (expected, received) => expected === received,
    wants: showJson,
  }),
  field("toolName", {
    read: ({ turn }) => [...turn.tools],
    accepts: (expected, received) => received.includes(expected),
    wants: (expected) => `the request to offer a tool ${showJson(expected)}`,
  }),
  field("responseFormat", {
    read: ({ turn }) => turn.responseFormat,
    accepts: (expected, received) => expected === received,
    wants: showJson,
  }),
  field("predicate", {
    read: ({ turn }) => chatShape(turn),
    accepts: (expected, received) => expected(received),
    wants: () => "the predicate to accept the request",
  }),
  field("sequenceIndex", {
    read: ({ count }) => count,
    accepts: (expected, received) => expected === received,
    wants: (expected) => `to be asked for the ${ordinal(expected)} time`,
    received: (count) => `for the ${ordinal(count)} time`,
  }),
];

/** Whether a fixture takes this request; `turnIndex` aside. */
export function matches(match: TurnMatch, asking: Asking): boolean {
  return MATCH_FIELDS.every((each) => each.holds(match, asking));
}

/** What of a request a fixture does not take, one text a key. */
export function differences(match: TurnMatch, asking: Asking): string[] {
  return MATCH_FIELDS.flatMap((each) => each.difference(match, asking) ?? []);
}

interface FieldRow<E, R> {
  read(asking: Asking): R;
  accepts(expected: E, received: R): boolean;
  /** What was expected, in words. */
  wants(expected: E): string;
  /** What came, in words; JSON text without it. */
  received?(received: R): string;
  filed?: { by: "part" | "whole"; texts(turn: Turn): readonly string[] };
}

type Wanted<K extends keyof TurnMatch> = NonNullable<TurnMatch[K]>;

function field<K extends keyof TurnMatch, R extends Parameters<typeof showJson>[0]>(
  key: K,
  row: FieldRow<Wanted<K>, R>,
): MatchField {
  const { filed, received = showJson } = row;
  const holds = (match: TurnMatch, asking: Asking) => {
    const expected = match[key];
    return expected == null || row.accepts(expected, row.read(asking));
  };
  return {
    key,
    holds,
    difference: (match, asking) => {
      const expected = match[key];
      if (expected == null || holds(match, asking)) return null;
      return `match.${key}: expected ${row.wants(expected)}, received ${received(row.read(asking))}`;
    },
    ...(filed && {
      filed: {
        ...filed,
        key: (match: TurnMatch) => {
          const expected = match[key];
          return typeof expected === "string" ? expected : null;
        },
      },
    }),
  };
}

function contains(expected: string | RegExp, received: string | null): boolean {
  if (received === null) return false;
  return expected instanceof RegExp ? expected.test(received) : received.includes(expected);
}

function wantsText(expected: string | RegExp | readonly string[]): string {
  return expected instanceof RegExp ? `text matching ${expected}` : `text containing ${showJson(String(expected))}`;
}

/** `gpt-4o` also takes `gpt-4o-2024-08-06`: providers answer for dated releases under the plain name. */
function isModelOrDated(expected: string, received: string): boolean {
  return (
    received === expected || (received.startsWith(`${expected}-`) && /^\d/.test(received.slice(expected.length + 1)))
  );
}

function isList(value: string | readonly string[] | RegExp): value is readonly string[] {
  return Array.isArray(value);
}

function present(text: string | null | undefined): readonly string[] {
  return text == null ? [] : [text];
}

function ordinal(index: number): string {
  const n = index + 1;
  const suffix = n % 100 >= 11 && n % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${suffix}`;
}
