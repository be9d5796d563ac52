import { jsonReply } from "../http/exchange.ts";
import { toJournalEntry } from "../journal/entry.ts";
import type { JournalFilter } from "../journal/journal.ts";
import { type ControlRequest, integerParam } from "./request.ts";
import type { Param, Route } from "./route.ts";
import type { ControlDependencies } from "./routes.ts";
import { JOURNAL_ENTRY, list, object, YES } from "./schemas.ts";

/** What records are asked for by. */
export const JOURNAL_FILTERS = {
  path: { kind: "text", meaning: "Part of the path with its query" },
  method: { kind: "text", meaning: "The HTTP verb, in any case" },
  status: { kind: "integer", meaning: "The HTTP status" },
  service: { kind: "text", meaning: "The service, e.g. mcp" },
  testId: { kind: "text", meaning: "The test id; __default__ for requests that carried none" },
  requestId: { kind: "text", meaning: "The X-Request-Id" },
} as const satisfies Record<string, Param>;

/** Reading and clearing the journal. */
export function journalRoutes({ journal }: Pick<ControlDependencies, "journal">): Route[] {
  return [
    {
      route: "GET /journal",
      summary: "What the server was asked and what it answered, oldest first; X-Total-Count counts before paging",
      params: {
        limit: { kind: "count", meaning: "Most records to answer" },
        offset: { kind: "count", meaning: "Records to leave out, from the oldest" },
        ...JOURNAL_FILTERS,
      },
      ok: list(JOURNAL_ENTRY),
      answer({ params }) {
        const offset = integerParam(params, "offset") ?? 0;
        const limit = integerParam(params, "limit");
        const found = journal.query(filterOf(params));
        const page = found.slice(offset, limit === undefined ? undefined : offset + limit);
        return jsonReply(200, page.map(toJournalEntry), { "x-total-count": String(found.length) });
      },
    },
    {
      route: "POST /reset/journal",
      summary: "Forgets the journal",
      ok: object({ reset: YES }),
      answer() {
        journal.clear();
        return jsonReply(200, { reset: true });
      },
    },
  ];
}

export function filterOf(params: ControlRequest["params"]): JournalFilter {
  const status = integerParam(params, "status");
  const { path, method, service, testId, requestId } = params;
  const texts = Object.entries({ path, method, service, testId, requestId }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(texts), ...(status === undefined ? {} : { status }) };
}
