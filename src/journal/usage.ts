import type { FaultUsage } from "../fakes/fault-views.ts";
import type { FakeStore } from "../fakes/store.ts";
import type { EntryUsage } from "../fakes/views.ts";
import type { McpFakeScope } from "../fixtures/types.ts";
import type { TurnStore } from "../llm/store.ts";
import { nearestName } from "../nearest-name.ts";
import type { TestRegistry } from "./tests.ts";

/** What a run as a whole made of its fixtures. */
export interface Usage {
  readonly entries: readonly EntryUsage[];
  readonly faults: readonly FaultUsage[];
  readonly turns: readonly TurnUsage[];
  /** The test ids that scopes name and that no test of the run answers to. */
  readonly unmet: readonly string[];
  /** For each of these, the test of the run that is named most like it; none where the run has no tests. */
  readonly closest: Readonly<Record<string, string>>;
  /** False when not every test of the run is known; then more may be unmet or unused than should be. */
  readonly complete: boolean;
}

/** A scripted turn of a model, and how often it answered since it was added, over all tests and attempts. */
export interface TurnUsage extends Pick<EntryUsage, "file" | "scope" | "optional" | "uses"> {
  readonly fixtureId: string;
}

export interface UsageSources {
  readonly mocks: readonly { readonly fakes: Pick<FakeStore, "usage" | "faultUsage"> }[];
  readonly turns: TurnStore;
  readonly tests: TestRegistry;
}

/** How often each fixture answered, or came as a fault, so far, over all tests. What is only for tests that were skipped is left out. */
export function usageOf({ mocks, turns, tests }: UsageSources): Usage {
  const { announced, skipped } = tests.scopeIds();
  const isWanted = ({ scope }: { readonly scope: McpFakeScope }) => {
    const testId = testIdOf(scope);
    return testId === null || announced.has(testId) || !skipped.has(testId);
  };
  const entries = mocks.flatMap(({ fakes }) => fakes.usage()).filter(isWanted);
  const faults = mocks.flatMap(({ fakes }) => fakes.faultUsage()).filter(isWanted);
  const scripted = turns.fixtures().filter(isWanted);
  const used = scripted.map((fixture) => ({
    fixtureId: fixture.id,
    file: fileOf(fixture.id),
    scope: fixture.scope,
    optional: fixture.optional,
    uses: turns.uses(fixture),
  }));
  const named = new Set([...entries, ...faults, ...used].flatMap(({ scope }) => testIdOf(scope) ?? []));
  const unmet = [...named].filter((testId) => !announced.has(testId));
  const known = new Set([...announced, ...skipped]);
  const closest = Object.fromEntries(
    unmet.flatMap((testId) => {
      const test = nearestName(known, testId);
      return test === undefined ? [] : [[testId, test]];
    }),
  );
  return { entries, faults, turns: used, unmet, closest, complete: tests.knowsEveryTest() };
}

/** The file that a fixture's id begins with; `null` for one that code added, whose id begins with a number of its own. */
function fileOf(fixtureId: string): string | null {
  const source = fixtureId.replace(/:fixtures\[\d+\]$/, "");
  return /^(code|control-api)#\d+$/.test(source) ? null : source.replace(/@\d+$/, "");
}

function testIdOf(scope: McpFakeScope): string | null {
  return scope === "shared" ? null : (scope.testId ?? null);
}
