import type { FaultUsage } from "../../src/fakes/fault-views.ts";
import type { EntryUsage } from "../../src/fakes/views.ts";
import type { McpFakeScope } from "../../src/fixtures/types.ts";
import type { TurnUsage, Usage } from "../../src/journal/usage.ts";
import { shortList } from "./findings.ts";
import type { RunOptions } from "./options.ts";
import { reportStrays, type Strays } from "./strays.ts";

/** What a server knows of a run that is over. */
export interface RunFindings {
  readonly strays: Strays;
  /** How the fixtures were used; `null` when only a part of the tests ran, or the server serves others too. */
  readonly usage: Usage | null;
}

/** What is said when a run ends, and whether the run is red for it. */
export interface LastWord {
  readonly text: string;
  readonly isError: boolean;
}

/** Words the end of a run: the calls that belong to no test, and what became of the fixtures. `null` when there is nothing to say. */
export function lastWord({ strays, usage }: RunFindings, options: RunOptions): LastWord | null {
  const { paragraphs, isError } = reportStrays(strays, options);
  const all = [...paragraphs, ...(usage === null ? [] : usageParagraphs(usage))];
  return all.length === 0 ? null : { text: all.join("\n\n"), isError };
}

// --- internal ---

/** A fake, a fault or a scripted turn. */
interface Used extends Pick<EntryUsage, "file" | "scope" | "optional" | "uses"> {
  readonly id: string;
}

function usageParagraphs({ entries, faults, turns, unmet, closest }: Usage): string[] {
  const all: Used[] = [...entries.map(usedEntry), ...faults.map(usedFault), ...turns.map(usedTurn)];
  // A file that is all for tests which are not there has been told of.
  const files = usesByFile(all.filter(({ scope }) => !unmet.includes(testIdOf(scope) ?? "")));
  const idle = new Set([...files].flatMap(([file, uses]) => (uses === 0 ? file : [])));
  const shared = all.filter(({ scope, optional, uses, file }) => {
    return uses === 0 && !optional && testIdOf(scope) === null && !(file !== null && idle.has(file));
  });
  return [...unmetParagraph({ unmet, closest }, all), ...sharedParagraph(shared), ...filesParagraph(files)];
}

function usedEntry({ entryId, ...rest }: EntryUsage): Used {
  return { ...rest, id: entryId };
}

function usedFault({ faultId, ...rest }: FaultUsage): Used {
  return { ...rest, id: faultId };
}

function usedTurn({ fixtureId, ...rest }: TurnUsage): Used {
  return { ...rest, id: fixtureId };
}

function unmetParagraph({ unmet, closest }: Pick<Usage, "unmet" | "closest">, all: readonly Used[]): string[] {
  if (unmet.length === 0) return [];
  const lines = unmet.map((testId) => {
    const named = all.filter(({ scope }) => testIdOf(scope) === testId);
    const files = [...new Set(named.map(({ file }) => file ?? "code"))].join(", ");
    const test = closest[testId];
    return `${JSON.stringify(testId)} in ${files}${test === undefined ? "" : `; the closest is ${JSON.stringify(test)}`}`;
  });
  const title =
    unmet.length === 1
      ? "mcp-fakes: 1 scope names a test that this run does not have."
      : `mcp-fakes: ${unmet.length} scopes name tests that this run does not have.`;
  return [`${title} Compare testId with the names of your tests.\n${shortList(lines)}`];
}

function sharedParagraph(unused: readonly Used[]): string[] {
  if (unused.length === 0) return [];
  const what = unused.length === 1 ? "1 shared fake was" : `${unused.length} shared fakes were`;
  return [`mcp-fakes: ${what} used by no test:\n${shortList(unused.map(({ id }) => id))}`];
}

/** Most used first. */
function usesByFile(all: readonly Used[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const { file, uses: more } of all) if (file !== null) uses.set(file, (uses.get(file) ?? 0) + more);
  return new Map([...uses].toSorted(([, one], [, other]) => other - one));
}

/** On the line of a run in which all is well. */
const FILES_SHOWN = 10;

function filesParagraph(files: ReadonlyMap<string, number>): string[] {
  if (files.size === 0) return [];
  const used = [...files].filter(([, uses]) => uses > 0).map(([file, uses]) => `${file} (${uses})`);
  const idle = [...files].filter(([, uses]) => uses === 0).map(([file]) => file);
  const times = [...files.values()].reduce((sum, uses) => sum + uses, 0);
  return [
    [
      ...(used.length === 0 ? [] : [`mcp-fakes: ${answersOf(used.length, times)}: ${inOneLine(used)}.`]),
      ...(idle.length === 0 ? [] : [`mcp-fakes: no test used ${inOneLine(idle)}.`]),
    ].join("\n"),
  ];
}

function answersOf(files: number, times: number): string {
  return `${files === 1 ? "1 fixture file" : `${files} fixture files`} gave ${times === 1 ? "1 answer" : `${times} answers`}`;
}

function inOneLine(items: readonly string[]): string {
  const more = items.length > FILES_SHOWN ? [`${items.length - FILES_SHOWN} more`] : [];
  return [...items.slice(0, FILES_SHOWN), ...more].join(", ");
}

function testIdOf(scope: McpFakeScope): string | null {
  return scope === "shared" ? null : (scope.testId ?? null);
}
