import type { FixtureFile } from "../../fixtures/read.ts";
import { isJsonObject, type Json } from "../../json.ts";
import { nearestName } from "../../nearest-name.ts";
import { showName } from "../../text.ts";
import { blockPath, memberOf } from "./entry-paths.ts";
import type { Finding, Reviewed } from "./review.ts";

/** Scopes that name a test which the run did not have: their fixtures wait for nobody. */
export function scopeIdFindings({ files, blocks }: Reviewed, testNames: ReadonlySet<string>): Finding[] {
  const ofBlocks = blocks.flatMap(({ file, source }) =>
    findingOf(file, memberOf(source.raw, "scope"), [...blockPath(source), "scope"]),
  );
  const ofTurns = files.flatMap((file) => [
    ...findingOf(file, file.fixturesScope, ["fixturesScope"]),
    ...file.fixtures.flatMap((fixture, index) =>
      findingOf(file, isJsonObject(fixture) ? fixture.scope : undefined, ["fixtures", index, "scope"]),
    ),
  ]);
  return [...ofBlocks, ...ofTurns];

  function findingOf(file: FixtureFile, scope: Json | undefined, path: readonly (string | number)[]): Finding[] {
    const testId = isJsonObject(scope) ? scope.testId : undefined;
    if (typeof testId !== "string" || testNames.has(testId)) return [];
    const message = `scope.testId ${showName(testId)} is no test of that run${closest(testId)}`;
    return [{ file, path: [...path, "testId"], message }];
  }

  function closest(testId: string): string {
    const best = nearestName(testNames, testId);
    return best === undefined ? ", which had none" : `; the closest is ${showName(best)}`;
  }
}
