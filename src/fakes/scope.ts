import type { McpFakeScope } from "../fixtures/types.ts";
import type { Identity } from "../identity.ts";
import type { JsonObject } from "../json.ts";
import { type Candidates, createCandidates, type GrowingCandidates, inLoadOrder, mergeCandidates } from "./match.ts";
import type { Block, BlockTarget } from "./model.ts";
import { isSameTarget, type Target, type TargetKind } from "./target.ts";

const TIERS = ["testId+context", "testId", "context", "shared"] as const;

/** How closely a scope names its requests. */
export type Tier = (typeof TIERS)[number];

/** The blocks of one mount, found by who asks: what a look-up costs never depends on blocks of other scopes. */
export interface ScopeIndex {
  add(block: Block): void;
  remove(block: Block): void;
  clear(): void;
  /** All blocks that apply to a request, in load order. */
  blocks(identity: Identity): readonly Block[];
  /** The entries that may answer for a target: those of the most specific tier that declares it. `null`: none does. */
  candidates(target: Target, identity: Identity): Candidates | null;
  /** A target as each tier declares it, the most specific first. */
  definitions(target: Target, identity: Pick<Identity, "testId" | "context">): readonly (JsonObject | undefined)[];
  /** Blocks whose scope holds exactly this test id, in any context, in load order. */
  scopedTo(testId: string): readonly Block[];
  /** The contexts that the blocks of a test ask for. */
  contextsOf(testId: string): readonly string[];
}

/** The tier of a block's scope. */
export function tierOf(scope: McpFakeScope): Tier {
  if (scope === "shared") return "shared";
  if (scope.testId === undefined) return "context";
  return scope.context === undefined ? "testId" : "testId+context";
}

/** 0 for the most specific scopes, 3 for shared ones. */
export function specificity(scope: McpFakeScope): number {
  return TIERS.indexOf(tierOf(scope));
}

/** Who sees a scope's blocks, and as few others as may be. */
export function identityOf(scope: McpFakeScope): Pick<Identity, "testId" | "context"> {
  const [testId, context] = placeOf(scope);
  return { testId, context };
}

/** `aliases` tells the other scope ids that a test answers to. */
export function createScopeIndex(aliases: (testId: string) => readonly string[]): ScopeIndex {
  // By test id, then by context; `null` stands for a scope without it, so the shared shelf is at (null, null).
  const shelves = new Map<string | null, Map<string | null, Shelf>>();

  const namesOf = (testId: string) => {
    const others = aliases(testId);
    return others.length === 0 ? [testId] : [...new Set([testId, ...others])];
  };

  /** The shelves of a request, tier by tier; few tiers hold any, and only those are here. */
  function tiers({ testId, context }: Identity): Shelf[][] {
    const found: Shelf[][] = [];
    const look = (ids: readonly (string | null)[], of: string | null) => {
      const tier: Shelf[] = [];
      for (const id of ids) {
        const shelf = shelves.get(id)?.get(of);
        if (shelf !== undefined) tier.push(shelf);
      }
      if (tier.length > 0) found.push(tier);
    };
    const names = testId === null ? [] : namesOf(testId);
    if (context !== null) look(names, context);
    look(names, null);
    if (context !== null) look(NOBODY, context);
    look(NOBODY, null);
    return found;
  }

  /** What the shelves of one tier have for a target. Nearly always one shelf has it, and then nothing is made. */
  function candidatesOn(
    names: readonly (string | null)[],
    context: string | null,
    { kind, name: wanted }: Target,
  ): Candidates | null {
    let found: Candidates | null = null;
    for (const name of names) {
      const candidates = shelves.get(name)?.get(context)?.[kind].get(wanted);
      if (candidates !== undefined) found = found === null ? candidates : mergeCandidates([found, candidates]);
    }
    return found;
  }

  return {
    add(block) {
      const [testId, context] = placeOf(block.scope);
      const byContext = shelves.get(testId) ?? new Map<string | null, Shelf>();
      shelves.set(testId, byContext);
      const shelf = byContext.get(context) ?? createShelf();
      byContext.set(context, shelf);
      shelf.add(block);
    },
    remove(block) {
      const [testId, context] = placeOf(block.scope);
      const byContext = shelves.get(testId);
      const shelf = byContext?.get(context);
      shelf?.remove(block);
      if (shelf?.blocks.size === 0) byContext?.delete(context);
      if (byContext?.size === 0) shelves.delete(testId);
    },
    clear: () => shelves.clear(),
    blocks: (identity) =>
      inLoadOrder(
        tiers(identity)
          .flat()
          .map((shelf) => [...shelf.blocks]),
      ),
    candidates(target, { testId, context }) {
      const names = testId === null ? NOBODY : namesOf(testId);
      return (
        (testId !== null && context !== null ? candidatesOn(names, context, target) : null) ??
        (testId !== null ? candidatesOn(names, null, target) : null) ??
        (context !== null ? candidatesOn(NOBODY, context, target) : null) ??
        candidatesOn(NOBODY, null, target)
      );
    },
    definitions(target, { testId, context }) {
      const names = testId === null ? NOBODY : namesOf(testId);
      return [
        testId !== null && context !== null ? candidatesOn(names, context, target) : null,
        testId !== null ? candidatesOn(names, null, target) : null,
        context !== null ? candidatesOn(NOBODY, context, target) : null,
        candidatesOn(NOBODY, null, target),
      ].map((candidates) => candidates?.definition);
    },
    scopedTo: (testId) => inLoadOrder([...(shelves.get(testId)?.values() ?? [])].map((shelf) => [...shelf.blocks])),
    contextsOf: (testId) => [
      ...new Set(namesOf(testId).flatMap((name) => [...(shelves.get(name)?.keys() ?? [])].flatMap((key) => key ?? []))),
    ],
  };
}

/** The scopes that name no test. */
const NOBODY = [null];

/** The blocks of one scope. */
interface Shelf extends Readonly<Record<TargetKind, ReadonlyMap<string, Candidates>>> {
  readonly blocks: ReadonlySet<Block>;
  add(block: Block): void;
  remove(block: Block): void;
}

function createShelf(): Shelf {
  const blocks = new Set<Block>();
  const byKind: Record<TargetKind, Map<string, GrowingCandidates>> = {
    tool: new Map(),
    resource: new Map(),
    prompt: new Map(),
  };
  let newest = Number.NEGATIVE_INFINITY;

  function place(target: BlockTarget, { script }: Block): void {
    const byName = byKind[target.kind];
    const candidates = byName.get(target.name) ?? createCandidates();
    byName.set(target.name, candidates);
    candidates.add(target, script);
  }

  /** Puts what the shelf holds of a block's targets together anew. */
  function rebuild({ targets }: Block): void {
    for (const { kind, name } of targets) byKind[kind].delete(name);
    const isConcerned = (target: BlockTarget) => targets.some((each) => isSameTarget(each, target));
    for (const block of blocks) for (const target of block.targets) if (isConcerned(target)) place(target, block);
  }

  return {
    blocks,
    ...byKind,
    add(block) {
      blocks.add(block);
      if (block.order > newest) {
        newest = block.order;
        for (const target of block.targets) place(target, block);
        return;
      }
      // A reloaded block goes where it was: those behind it are put behind it again.
      for (const each of [...blocks].filter(({ order }) => order > block.order)) {
        blocks.delete(each);
        blocks.add(each);
      }
      rebuild(block);
    },
    remove(block) {
      blocks.delete(block);
      rebuild(block);
    },
  };
}

function placeOf(scope: McpFakeScope): [testId: string | null, context: string | null] {
  return scope === "shared" ? [null, null] : [scope.testId ?? null, scope.context ?? null];
}
