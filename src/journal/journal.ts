import type { Exchange, Headers } from "../http/exchange.ts";
import { claimedTestId } from "../identity.ts";
import type { Json } from "../json.ts";
import type { LimitName, Limits } from "../limits.ts";
import type { CommandFacts, ExchangeFacts, McpFacts, ModelFacts, RefusedFacts } from "./facts.ts";
import { createShelves } from "./shelves.ts";

/** One exchange (or one message of a batch), as the server saw it. */
export interface JournalRecord {
  /** The request id (`X-Request-Id`). */
  readonly id: string;
  /** Counts all records ever appended, from 1. */
  readonly seq: number;
  /** What it takes, roughly, for the cap on the whole. */
  readonly bytes: number;
  /** Milliseconds since the epoch when the request was there. */
  readonly timestamp: number;
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Json;
  readonly service: string;
  /** `null` when the request sent none. */
  readonly testId: string | null;
  /** The test id that it is asked for by. */
  readonly filedUnder: string;
  readonly context: string | null;
  /** False when the identity itself was refused. */
  readonly identified: boolean;
  /** Which attempt of its announced test made it; `null` when the test was not announced. */
  readonly attempt: number | null;
  readonly status: number;
  /** The message that was answered; `null` when none was. */
  readonly answer: Json;
  readonly error: string | null;
  readonly mcp: McpFacts | null;
  readonly model: ModelFacts | null;
  readonly command: CommandFacts | null;
  readonly refused: RefusedFacts | null;
}

/** Which records to return; all given fields must hold. */
export interface JournalFilter {
  /** Part of the path with its query. */
  readonly path?: string;
  /** Verb, any case. */
  readonly method?: string;
  readonly status?: number;
  readonly service?: string;
  /** `__default__` names the records without a test id. */
  readonly testId?: string;
  readonly requestId?: string;
}

/** What a record holds of the exchange itself. */
export type Recorded = Pick<Exchange, "id" | "method" | "target" | "headers" | "body" | "startedAt">;

/** The one record of what happened. Reports, matchers, metrics and the call log are readers of it. */
export interface Journal {
  /** Makes one record of each of an exchange's facts. `chars` is the length of the reply's body. */
  record(exchange: Recorded, facts: readonly ExchangeFacts[], sent: { status: number; chars: number }): void;
  /** Oldest first. With `testId`, the cost is that of this test's records alone. */
  query(filter?: JournalFilter): readonly JournalRecord[];
  /** Calls back with each new record; returns the way to stop that. */
  subscribe(listener: (record: JournalRecord) => void): () => void;
  clear(): void;
  /** Forgets one test's records. */
  forget(testId: string): void;
  /** How many of a test's records the cap has dropped since they were last forgotten. */
  dropped(testId: string | null): number;
}

/** The name under which records without a test id are asked for (seed: the default state). */
export const DEFAULT_TEST_ID = "__default__";

/** The most of a request's body that the journal shows, in bytes. */
const BODY_LIMIT = 64 * 1024;

/** What a record takes beside its body and answer, roughly. */
const RECORD_BYTES = 1024;

export interface JournalOptions {
  /** `journalRecords` and `journalBytes` are kept; of what is more, the oldest records go first. */
  readonly limits: Limits;
  attemptOf(testId: string): number | null;
}

/** A journal in memory, indexed by test id. */
export function createJournal({ limits, attemptOf }: JournalOptions): Journal {
  const { journalRecords: recordsMax, journalBytes: bytesMax } = limits.max;
  const withoutSecrets = createRedaction();
  let shelves = createShelves();
  let bytesKept = 0;
  const listeners = new Set<(record: JournalRecord) => void>();
  let seq = 0;

  function append(record: JournalRecord): void {
    shelves.add(record.filedUnder, record);
    bytesKept += record.bytes;
    if (recordsMax > 0 && shelves.size() > recordsMax) dropOldest("journalRecords");
    while (bytesKept > bytesMax && shelves.size() > 1) dropOldest("journalBytes");
    for (const listener of listeners) listener(record);
  }

  function dropOldest(limit: LimitName): void {
    const dropped = shelves.dropOldest();
    if (dropped === undefined) return;
    bytesKept -= dropped.record.bytes;
    if (!dropped.isForgotten) limits.hit(limit);
  }

  return {
    record(exchange, facts, { status, chars }) {
      const bytes = RECORD_BYTES + (exchange.body.length + chars) / facts.length;
      const headers = withoutSecrets(exchange.headers);
      for (const each of facts)
        append(toRecord(exchange, status, { facts: each, seq: ++seq, bytes, headers, attemptOf }));
    },
    query(filter = {}) {
      const candidates = filter.testId === undefined ? shelves.all() : shelves.of(filter.testId);
      return candidates.filter((record) => matches(record, filter));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear() {
      shelves = createShelves();
      bytesKept = 0;
    },
    forget: (testId) => shelves.forget(testId),
    dropped: (testId) => shelves.dropped(testId ?? DEFAULT_TEST_ID),
  };
}

interface RecordParts {
  readonly facts: ExchangeFacts;
  readonly seq: number;
  readonly bytes: number;
  readonly headers: Headers;
  readonly attemptOf: JournalOptions["attemptOf"];
}

function toRecord(
  exchange: Recorded,
  status: number,
  { facts, seq, bytes, headers, attemptOf }: RecordParts,
): JournalRecord {
  const testId = facts.identity?.testId ?? null;
  const named = facts.identity === null ? claimedTestId(exchange) : testId;
  return {
    id: exchange.id,
    seq,
    bytes,
    timestamp: exchange.startedAt,
    durationMs: Date.now() - exchange.startedAt,
    method: exchange.method,
    path: exchange.target.includes("?") ? withoutKeys(exchange.target) : exchange.target,
    headers,
    body: isLong(exchange.body) ? truncated(exchange.body) : facts.body,
    service: facts.service,
    testId,
    filedUnder: named ?? DEFAULT_TEST_ID,
    context: facts.identity?.context ?? null,
    identified: facts.identity !== null,
    attempt: named === null ? null : attemptOf(named),
    status,
    answer: facts.answer ?? null,
    error: facts.error ?? null,
    mcp: facts.mcp ?? null,
    model: facts.model ?? null,
    command: facts.command ?? null,
    refused: facts.refused ?? null,
  };
}

function isLong(body: string): boolean {
  // A character takes three bytes at most, so that nearly no body needs to be measured.
  return body.length * 3 > BODY_LIMIT && Buffer.byteLength(body) > BODY_LIMIT;
}

function truncated(body: string): Json {
  return {
    __aimock_truncated: true,
    originalByteSize: Buffer.byteLength(body),
    note: "body truncated by aimock journal cap (64 KB limit)",
  };
}

const SECRET_HEADERS = ["authorization", "proxy-authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie"];

/** Gemini's clients may send their key in the query. */
function withoutKeys(target: string): string {
  return target.replace(/(?<=[?&](?:key|api_?key|token|access_token)=)[^&]+/gi, REDACTED);
}

const REDACTED = "[REDACTED]";

/**
 * What hides the secrets of requests: a record shows that one was sent, never which. Headers that a client repeats are
 * one object (`http/headers.ts`), and are looked through once.
 */
function createRedaction(): (headers: Headers) => Headers {
  let before: Headers = {};
  let shown = before;
  return (headers) => {
    if (headers === before) return shown;
    before = headers;
    shown = headers;
    for (const name of SECRET_HEADERS) if (headers[name] !== undefined) shown = { ...shown, [name]: REDACTED };
    return shown;
  };
}

/** Whether a record is one of those that a filter asks for. */
export function matches(record: JournalRecord, filter: JournalFilter): boolean {
  return (
    (filter.testId === undefined || record.filedUnder === filter.testId) &&
    (filter.path === undefined || record.path.includes(filter.path)) &&
    (filter.method === undefined || record.method === filter.method.toUpperCase()) &&
    (filter.status === undefined || record.status === filter.status) &&
    (filter.service === undefined || record.service === filter.service) &&
    (filter.requestId === undefined || record.id === filter.requestId)
  );
}
