import type { CallOutcome } from "../fakes/fact.ts";
import type { Headers } from "../http/exchange.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { showFixture } from "../llm/fixture-view.ts";
import type { CommandFacts, McpFacts, ModelFacts } from "./facts.ts";
import { DEFAULT_TEST_ID, type JournalRecord } from "./journal.ts";

/** A journal record as it is shown outside (sheet of the wire, 9, and what this server adds to it). */
export interface JournalEntry {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Json;
  readonly service: string;
  /** `__default__` when none was sent; absent when the identity was refused. */
  readonly testId?: string;
  readonly context?: string | null;
  readonly response: {
    readonly status: number;
    /** The scripted turn that answered a model's request. */
    readonly fixture: JsonObject | null;
    /** Only on model requests: whether a fixture answered, or the server itself. */
    readonly source?: "fixture" | "internal";
    readonly mcpFake?: { readonly id: string | null; readonly outcome: CallOutcome };
    readonly error?: string;
    /** Only on a request that was refused before any method or fake saw it: why. */
    readonly refused?: string;
  };
  /** What was answered; `null` when nothing was. */
  readonly answer: Json;
  readonly attempt: number | null;
  readonly durationMs: number;
  readonly mcp: McpFacts | null;
  /** Only on the runs of commands. */
  readonly command?: CommandFacts;
  /** Only on model requests. */
  readonly model?: Pick<ModelFacts, "provider" | "outcome" | "closest" | "said">;
}

/** The outcomes in which a fake answered or refused, and so show in `response.mcpFake`. */
const FAKE_OUTCOMES = new Set<CallOutcome>([
  "answered",
  "mismatch",
  "exhausted",
  "not_declared",
  "unexpected",
  "evicted",
  "test_ended",
]);

export function toJournalEntry(record: JournalRecord): JournalEntry {
  const call = record.mcp?.call ?? record.mcp?.read ?? record.mcp?.prompt;
  const fixture = record.model?.fixture ?? null;
  const byFake = call !== undefined && FAKE_OUTCOMES.has(call.outcome);
  return {
    id: record.id,
    timestamp: record.timestamp,
    method: record.method,
    path: record.path,
    headers: { ...record.headers, "x-request-id": record.id },
    body: record.body,
    service: record.service,
    ...(record.identified ? { testId: record.testId ?? DEFAULT_TEST_ID, context: record.context } : {}),
    response: {
      status: record.status,
      fixture: fixture === null ? null : showFixture(fixture),
      ...(record.model === null ? {} : { source: fixture === null ? "internal" : "fixture" }),
      ...(byFake ? { mcpFake: { id: call.entryId, outcome: call.outcome } } : {}),
      ...(record.error === null ? {} : { error: record.error }),
      ...(record.refused === null ? {} : { refused: record.refused.reason }),
    },
    answer: record.answer,
    attempt: record.attempt,
    durationMs: record.durationMs,
    mcp: record.mcp === null || !isTruncated(record.body) ? record.mcp : withoutArguments(record.mcp, record.body),
    ...(record.model === null ? {} : { model: toModelView(record.model) }),
    ...(record.command === null ? {} : { command: record.command }),
  };
}

/** Without the turn, which `body` shows already. */
function toModelView({ provider, outcome, closest, said }: ModelFacts) {
  return { provider, outcome, closest, said };
}

function isTruncated(body: Json): boolean {
  return isJsonObject(body) && body.__aimock_truncated === true;
}

/** A body that is too long to be shown is not shown in parts either. */
function withoutArguments(mcp: McpFacts, mark: Json): McpFacts {
  const { call, prompt } = mcp;
  return {
    ...mcp,
    params: mark,
    ...(call && { call: { ...call, args: mark } }),
    ...(prompt && { prompt: { ...prompt, args: mark } }),
  };
}
