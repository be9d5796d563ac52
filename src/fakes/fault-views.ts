import type { FaultKind, ServerFault } from "./fault.ts";
import type { Block } from "./model.ts";
import { type Tier, tierOf } from "./scope.ts";
import type { EntryUsage } from "./views.ts";

/** A fault of a server that befell no request of a test. */
export interface UnusedFault {
  /** The block's id and the fault's place in it: `a.json:faults[0]`. */
  readonly faultId: string;
  readonly mount: string;
  /** The file, or `code#1` and the like, that declares it. */
  readonly file: string;
  readonly method: string;
  readonly tool?: string;
  readonly callIndex?: number;
  /** Absent when the answer was only to be late. */
  readonly fault?: FaultKind;
  /** How many of the requests that it waits for came. */
  readonly requests: number;
}

/** A fault of a server, and how often it came, over all tests and attempts. */
export interface FaultUsage extends Omit<EntryUsage, "entryId"> {
  readonly faultId: string;
}

/** What one test made of a fault. */
export interface FaultCount {
  /** The requests that the fault waited for. */
  readonly requests: number;
  /** Whether it befell one of them. */
  readonly struck: boolean;
}

/** The faults of blocks that did not befall a request and were to, in load order. `mount` is the path they are served at. */
export function unusedFaultsOf(
  blocks: readonly Block[],
  { countOf, mount }: { countOf: (fault: ServerFault) => FaultCount; mount: string },
): (UnusedFault & { readonly tier: Tier })[] {
  return faultsOf(blocks).flatMap(({ faultId, block, fault }) => {
    const { requests, struck } = countOf(fault);
    if (struck || fault.optional) return [];
    const { method, tool, callIndex } = fault;
    return {
      ...{ faultId, mount, file: block.source, tier: tierOf(block.scope), method, requests },
      ...(tool !== null && { tool }),
      ...(callIndex !== null && { callIndex }),
      ...(fault.fault !== null && { fault: fault.fault.kind }),
    };
  });
}

/** The faults of blocks, and how often each came. */
export function faultUsesOf(
  blocks: Iterable<Block>,
  { mount, isFile, uses }: { mount: string; isFile: (block: Block) => boolean; uses: (fault: ServerFault) => number },
): FaultUsage[] {
  return faultsOf(blocks).map(({ faultId, block, fault }) => ({
    faultId,
    mount,
    file: isFile(block) ? block.source : null,
    scope: block.scope,
    optional: fault.optional,
    uses: uses(fault),
  }));
}

function faultsOf(
  blocks: Iterable<Block>,
): { readonly faultId: string; readonly block: Block; readonly fault: ServerFault }[] {
  return [...blocks].flatMap((block) =>
    block.faults.map((fault, index) => ({ faultId: `${block.id}:faults[${index}]`, block, fault })),
  );
}
