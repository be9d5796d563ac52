import { isSameTarget, toolTarget } from "../../fakes/target.ts";
import type { FixtureFile } from "../../fixtures/read.ts";
import type { McpFakeScope } from "../../fixtures/types.ts";
import { isJsonObject, type Json } from "../../json.ts";
import { showName } from "../../text.ts";
import type { Finding, Reviewed } from "./review.ts";

/** Scripted tool calls of a model that no fake of the scenario would answer. Without any fakes, nothing is said. */
export function unfakedCallFindings({ files, blocks }: Reviewed): Finding[] {
  const declared = blocks.flatMap(({ file, block }) => (block === null ? [] : { file, block }));
  if (declared.length === 0) return [];
  return files.flatMap((file) =>
    scriptedCalls(file).flatMap(({ tool, scope, path }) => {
      const seen = declared.filter((each) => each.file === file || isSeen(each.block.scope, scope));
      if (seen.some(({ block }) => block.targets.some((target) => isSameTarget(target, toolTarget(tool))))) return [];
      const message = `the model is scripted to call ${showName(tool)}, which no fake of this scenario declares`;
      return { file, path, message };
    }),
  );
}

interface ScriptedCall {
  readonly tool: string;
  readonly scope: Json | undefined;
  readonly path: readonly (string | number)[];
}

function scriptedCalls({ fixtures, fixturesScope }: FixtureFile): ScriptedCall[] {
  return fixtures.flatMap((fixture, index) => {
    if (!isJsonObject(fixture) || !isJsonObject(fixture.response)) return [];
    const scope = fixture.scope ?? fixturesScope;
    return ["toolCalls", "blocks"].flatMap((key) => {
      const list = isJsonObject(fixture.response) ? fixture.response[key] : undefined;
      return (Array.isArray(list) ? list : []).flatMap((call, at) => {
        if (!isJsonObject(call) || typeof call.name !== "string") return [];
        return { tool: call.name, scope, path: ["fixtures", index, "response", key, at] };
      });
    });
  });
}

/** Whether a block may answer the test that a turn is scoped to: it names that test, or no test at all. */
function isSeen(blockScope: McpFakeScope, scope: Json | undefined): boolean {
  if (blockScope === "shared" || blockScope.testId === undefined) return true;
  return isJsonObject(scope) && scope.testId === blockScope.testId;
}
