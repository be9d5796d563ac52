/** One limit: how much is taken of whom, and what becomes of what is too much. */
export interface Limit {
  /** What is taken when nothing else is said; 0 means no limit, where that is allowed. */
  readonly max: number;
  readonly unit: "bytes" | "chars" | "levels" | "ms" | "count";
  /** The HTTP status of what is refused; `null` when nothing is refused but something is dropped. */
  readonly status: number | null;
  /** What happens past the limit. */
  readonly effect: string;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** Every limit of a server, in one table: options, answers, `GET /__aimock/limits`, metrics and docs read it. */
export const LIMITS = {
  requestLine: { max: 8 * KIB, unit: "chars", status: 414, effect: "the request is refused" },
  headers: { max: 32 * KIB, unit: "bytes", status: 431, effect: "the connection is closed" },
  body: { max: 4 * MIB, unit: "bytes", status: 413, effect: "the request is refused and the connection closed" },
  depth: { max: 64, unit: "levels", status: 400, effect: "the request is refused" },
  requestTime: { max: 60_000, unit: "ms", status: 408, effect: "a request that takes longer to arrive is dropped" },
  slowReader: {
    max: 16 * MIB,
    unit: "bytes",
    status: null,
    effect: "a client that leaves more of an open stream unread, or an answer for requestTime, is cut off",
  },
  connections: { max: 10_000, unit: "count", status: null, effect: "a further connection is closed" },
  streams: { max: 1000, unit: "count", status: 503, effect: "a further event stream is refused" },
  sessions: { max: 10_000, unit: "count", status: 404, effect: "the session that was idle longest is ended" },
  announcedTests: { max: 100_000, unit: "count", status: 503, effect: "a further test is not announced" },
  commandTests: { max: 100_000, unit: "count", status: 503, effect: "scripted commands of a further test are refused" },
  testIds: { max: 500, unit: "count", status: 200, effect: "the oldest test id on the mount is MCP_FAKE_EVICTED" },
  journalRecords: { max: 10_000, unit: "count", status: null, effect: "the oldest record is dropped" },
  journalBytes: { max: 256 * MIB, unit: "bytes", status: null, effect: "the oldest records are dropped" },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

/** The limits of one server, and how often each was met. */
export interface Limits {
  readonly max: Readonly<Record<LimitName, number>>;
  hit(name: LimitName): void;
  hits(name: LimitName): number;
}

export function createLimits(changed: Partial<Record<LimitName, number>> = {}): Limits {
  const names = Object.keys(LIMITS) as LimitName[]; // the table's own keys
  const max = Object.fromEntries(names.map((name) => [name, changed[name] ?? LIMITS[name].max]));
  const counts = new Map<LimitName, number>();
  return {
    max: max as Record<LimitName, number>, // one for each name
    hit: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    hits: (name) => counts.get(name) ?? 0,
  };
}
