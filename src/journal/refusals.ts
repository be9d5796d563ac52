import type { Refused } from "../fakes/report.ts";
import type { JournalRecord } from "./journal.ts";

/** The service of a request that came to a path which nothing serves. */
export const UNSERVED = "none";

/**
 * What a request asked for in vain: each target, or the path that nothing serves. Nothing for a refusal that clients
 * look for themselves: of a stream, a handshake, an address under `/.well-known/`.
 */
export function refusalsIn({ refused, service, path, status }: JournalRecord): Refused[] {
  if (refused === null) return [];
  const refusal = { path, status, reason: refused.reason };
  if (refused.asked.length > 0) return refused.asked.map((asked) => ({ ...asked, ...refusal }));
  return service === UNSERVED && !path.startsWith("/.well-known/") ? [refusal] : [];
}
