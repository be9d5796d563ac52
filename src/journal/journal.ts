import type { CallFact } from "../fakes/model.ts";
import type { Json } from "../json.ts";

/** What an MCP message was: the method, its params and, for `tools/call`, how the call ended. */
export interface McpFacts {
  /** JSON-RPC method, e.g. `tools/call`. */
  method: string;
  params: Json;
  mount: string;
  /** Only on `tools/call`. */
  call?: CallFact;
}

/** One exchange (or one message of a batch), as the server saw it. */
export interface JournalRecord {
  /** The request id (`X-Request-Id`). */
  readonly id: string;
  /** Counts all records ever appended, from 1. */
  readonly seq: number;
  /** Milliseconds since the epoch when the request was there. */
  readonly timestamp: number;
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Json;
  readonly service: string | null;
  readonly testId: string | null;
  readonly context: string | null;
  /** Which attempt of its announced test made it; `null` when the test was not announced. */
  readonly attempt: number | null;
  readonly status: number;
  readonly answer: Json | undefined;
  readonly error: string | null;
  readonly mcp: McpFacts | null;
}

export interface JournalFilter {
  path?: string;
  method?: string;
  status?: number;
  service?: string;
  testId?: string;
  requestId?: string;
}

export interface Journal {
  append(record: Omit<JournalRecord, "seq">): void;
  /** Oldest first. With `testId`, costs only that test's records. */
  query(filter?: JournalFilter): readonly JournalRecord[];
  subscribe(listener: (record: JournalRecord) => void): () => void;
  clear(): void;
  /** Forgets one test's records. */
  forget(testId: string): void;
  /** Records dropped by the cap, in all and for one test. */
  dropped(testId?: string): number;
}
