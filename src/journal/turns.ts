import type { Json } from "../json.ts";
import { chatShape } from "../llm/turn.ts";
import type { ModelFacts } from "./facts.ts";
import { DEFAULT_TEST_ID, type Journal, type JournalRecord } from "./journal.ts";
import type { TestRegistry } from "./tests.ts";

/** One request to a model and what it said, as a test sees it. */
export interface ModelTurn {
  /** The API that was spoken: `openai-chat`, `openai-responses`, `anthropic`, `gemini`, … */
  readonly provider: string;
  /** The request in the shape of a chat request, whichever API was spoken; `null` when it was too large to keep. */
  readonly request: Json;
  readonly outcome: ModelFacts["outcome"];
  /** The scripted turn that answered, e.g. `weather/seattle.json:fixtures[0]`. */
  readonly fixtureId: string | null;
  readonly said: ModelFacts["said"];
  readonly closest: ModelFacts["closest"];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
}

/** A record of a request to a model. */
export type TurnRecord = JournalRecord & { readonly model: ModelFacts };

/**
 * The requests to models of one test's current attempt, oldest first. `null` asks for those without a test id,
 * `undefined` for all.
 */
export function turnsOf(
  { journal, tests }: { readonly journal: Journal; readonly tests: TestRegistry },
  testId: string | null | undefined,
): TurnRecord[] {
  if (testId === undefined) return journal.query({ service: "llm" }).filter(isTurn);
  const attempt = testId === null ? null : tests.attemptOf(testId);
  const records = journal.query({ service: "llm", testId: testId ?? DEFAULT_TEST_ID }).filter(isTurn);
  return attempt === null ? records : records.filter((record) => record.attempt === attempt);
}

function isTurn(record: JournalRecord): record is TurnRecord {
  return record.model !== null;
}

export function toTurn({ model, timestamp, durationMs }: TurnRecord): ModelTurn {
  const { provider, turn, outcome, fixture, said, closest } = model;
  return {
    provider,
    request: turn === null ? null : chatShape(turn),
    outcome,
    fixtureId: fixture?.id ?? null,
    said,
    closest,
    startedAt: timestamp,
    durationMs,
  };
}
