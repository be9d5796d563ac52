import { jsonReply } from "../http/exchange.ts";
import { toJournalEntry } from "../journal/entry.ts";
import type { JournalFilter } from "../journal/journal.ts";
import { type ControlRequest, integerParam } from "./request.ts";
import type { ControlDependencies, Route } from "./routes.ts";

/** Reading and clearing the journal. */
export function journalRoutes({ journal }: ControlDependencies): Route[] {
  return [
    {
      route: "GET /journal",
      params: ["limit", "offset", "path", "method", "status", "service", "testId", "requestId"],
      answer({ params }) {
        const offset = integerParam(params, "offset", 0) ?? 0;
        const limit = integerParam(params, "limit", 0);
        const found = journal.query(filterOf(params));
        const page = found.slice(offset, limit === undefined ? undefined : offset + limit);
        return jsonReply(200, page.map(toJournalEntry), { "x-total-count": String(found.length) });
      },
    },
    {
      route: "POST /reset/journal",
      answer() {
        journal.clear();
        return jsonReply(200, { reset: true });
      },
    },
  ];
}

function filterOf(params: ControlRequest["params"]): JournalFilter {
  const status = integerParam(params, "status", null);
  const { path, method, service, testId, requestId } = params;
  const texts = Object.entries({ path, method, service, testId, requestId }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(texts), ...(status === undefined ? {} : { status }) };
}
