import type { Identity } from "../identity.ts";
import { isJsonObject, type Json } from "../json.ts";
import type { ServerFault } from "./fault.ts";
import type { FaultCount } from "./fault-views.ts";
import type { LoadedBlocks } from "./loaded.ts";

/** One request, as far as a fault is concerned. */
export interface FaultyRequest {
  readonly method: string;
  readonly params: Json | undefined;
}

/** What goes wrong with the methods of one server, and how often each test has made the requests that it waits for. */
export interface ServerFaults {
  /** Counts the request for each fault that waits for it; answers the first whose turn it is, the most specific before. */
  strike(request: FaultyRequest, identity: Identity): ServerFault | null;
  countOf(testId: string | null, fault: ServerFault): FaultCount;
  /** How often a fault came, over all tests and attempts. */
  totalStrikes(fault: ServerFault): number;
  /** What was counted of each fault, before a reload, counts for the equal one that took its place. */
  carry(pairs: readonly (readonly [ServerFault, ServerFault])[]): void;
  /** Counts anew for one test id, or for all. `__default__` names the requests without an id. */
  reset(testId?: string): void;
}

export interface ServerFaultsDependencies {
  readonly loaded: Pick<LoadedBlocks, "faults">;
  /** Those of every test, behind what is loaded. */
  readonly faults: readonly ServerFault[];
  /** Of how many test ids the counts are kept, the newest; 0 keeps all. */
  cap(): number;
}

export function createServerFaults({ loaded, faults, cap }: ServerFaultsDependencies): ServerFaults {
  /** By test id. A fault that is unloaded takes its counts with it. */
  const counts = new Map<string | null, WeakMap<ServerFault, FaultCount>>();
  const totals = new WeakMap<ServerFault, number>();

  function countsOf(testId: string | null): WeakMap<ServerFault, FaultCount> {
    const known = counts.get(testId);
    if (known !== undefined) return known;
    const fresh = new WeakMap<ServerFault, FaultCount>();
    counts.set(testId, fresh);
    const [oldest] = counts.keys();
    if (cap() > 0 && counts.size > cap() && oldest !== undefined) counts.delete(oldest);
    return fresh;
  }

  const totalStrikes = (fault: ServerFault) => totals.get(fault) ?? 0;

  return {
    strike(request, identity) {
      const applying = loaded.faults(identity);
      if (applying.length === 0 && faults.length === 0) return null;
      const { testId } = identity;
      let due: ServerFault | null = null;
      for (const fault of [...applying, ...faults]) {
        if (!waitsFor(fault, request)) continue;
        const own = countsOf(testId);
        const { requests, struck } = own.get(fault) ?? NONE;
        const strikes = due === null && (fault.callIndex === null || fault.callIndex === requests);
        own.set(fault, { requests: requests + 1, struck: struck || strikes });
        if (strikes) due = fault;
      }
      if (due !== null) totals.set(due, totalStrikes(due) + 1);
      return due;
    },
    countOf: (testId, fault) => counts.get(testId)?.get(fault) ?? NONE,
    totalStrikes,
    carry(pairs) {
      for (const own of counts.values()) {
        for (const [before, now] of pairs) own.set(now, own.get(before) ?? NONE);
      }
      for (const [before, now] of pairs) totals.set(now, totalStrikes(before));
    },
    reset(testId) {
      if (testId === undefined) counts.clear();
      else counts.delete(testId === "__default__" ? null : testId);
    },
  };
}

const NONE: FaultCount = { requests: 0, struck: false };

/** A tool beside another method names what the fault is about, not which requests it befalls. */
function waitsFor({ method, tool }: ServerFault, request: FaultyRequest): boolean {
  if (method !== request.method) return false;
  return tool === null || method !== "tools/call" || (isJsonObject(request.params) && request.params.name === tool);
}
