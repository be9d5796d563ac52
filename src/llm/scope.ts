import type { McpFakeScope } from "../fixtures/types.ts";
import type { Identity } from "../identity.ts";
import type { TurnFixture } from "./fixture.ts";
import { createFixtureIndex, type FixtureIndex } from "./fixture-index.ts";

type Viewer = Pick<Identity, "testId" | "context">;

/** The scripted turns found by who asks: what a request costs never depends on turns of other scopes. */
export interface TurnScopes {
  add(fixture: TurnFixture, order: number): void;
  remove(fixture: TurnFixture): void;
  clear(): void;
  /** What a request sees, most specific level first: test id and context, test id, context, shared. */
  levels(viewer: Viewer): readonly (readonly FixtureIndex[])[];
  /** The turns whose scope names the viewer's test, and its context or none. */
  scopedTo(viewer: Viewer): readonly FixtureIndex[];
  contextsOf(testId: string): readonly string[];
}

/** `aliases` tells the other scope ids that a test answers to. */
export function createTurnScopes(aliases: (testId: string) => readonly string[]): TurnScopes {
  // By test id, then by context; `null` stands for a scope without it, so the shared turns are at (null, null).
  const shelves = new Map<string | null, Map<string | null, FixtureIndex>>();

  const namesOf = (testId: string | null) => (testId === null ? [] : [...new Set([testId, ...aliases(testId)])]);
  const at = (testIds: readonly (string | null)[], context: string | null) =>
    testIds.flatMap((testId) => shelves.get(testId)?.get(context) ?? []);

  return {
    add(fixture, order) {
      const [testId, context] = placeOf(fixture.scope);
      const byContext = shelves.get(testId) ?? new Map<string | null, FixtureIndex>();
      shelves.set(testId, byContext);
      const index = byContext.get(context) ?? createFixtureIndex();
      byContext.set(context, index);
      index.add(fixture, order);
    },
    remove(fixture) {
      const [testId, context] = placeOf(fixture.scope);
      const byContext = shelves.get(testId);
      const index = byContext?.get(context);
      index?.remove(fixture);
      if (index?.all().length === 0) byContext?.delete(context);
      if (byContext?.size === 0) shelves.delete(testId);
    },
    clear: () => shelves.clear(),
    levels({ testId, context }) {
      const names = namesOf(testId);
      const inContext = (ids: readonly (string | null)[]) => (context === null ? [] : at(ids, context));
      return [inContext(names), at(names, null), inContext([null]), at([null], null)];
    },
    scopedTo({ testId, context }) {
      const names = namesOf(testId);
      return [...(context === null ? [] : at(names, context)), ...at(names, null)];
    },
    contextsOf: (testId) => [
      ...new Set(namesOf(testId).flatMap((name) => [...(shelves.get(name)?.keys() ?? [])].flatMap((key) => key ?? []))),
    ],
  };
}

function placeOf(scope: McpFakeScope): [testId: string | null, context: string | null] {
  return scope === "shared" ? [null, null] : [scope.testId ?? null, scope.context ?? null];
}
