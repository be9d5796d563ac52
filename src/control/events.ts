import type { EventSink } from "../http/exchange.ts";
import { toJournalEntry } from "../journal/entry.ts";
import { type JournalRecord, matches } from "../journal/journal.ts";
import { filterOf, JOURNAL_FILTERS } from "./journal.ts";
import type { Route } from "./route.ts";
import type { ControlDependencies } from "./routes.ts";
import { JOURNAL_ENTRY } from "./schemas.ts";

/** The journal as it grows, as server-sent events: `event: record`, its number as `id`, the entry as `data`. */
export function eventsRoutes({ journal }: Pick<ControlDependencies, "journal">): Route[] {
  return [
    {
      route: "GET /events",
      summary: "New journal records as server-sent events; Last-Event-ID brings those since that one",
      params: JOURNAL_FILTERS,
      ok: JOURNAL_ENTRY,
      okType: "text/event-stream",
      answer({ params, headers }) {
        const filter = filterOf(params);
        const since = Number(headers["last-event-id"] ?? Number.POSITIVE_INFINITY);
        return {
          status: 200,
          headers: {},
          stream(sink) {
            sink.comment("open");
            for (const record of journal.query(filter)) if (record.seq > since) send(sink, record);
            const stop = journal.subscribe((record) => {
              if (matches(record, filter)) send(sink, record);
            });
            sink.onClose(stop);
          },
        };
      },
    },
  ];
}

function send(sink: EventSink, record: JournalRecord): void {
  sink.send({ event: "record", id: String(record.seq), data: JSON.stringify(toJournalEntry(record)) });
}
