import type { FixtureLoadError } from "../errors.ts";
import type { Origin } from "../fakes/model.ts";
import { type LlmProblem, llmErrors, readLlmFixtures } from "../fixtures/llm.ts";
import type { FixtureFile } from "../fixtures/read.ts";
import type { TurnFixture } from "./fixture.ts";
import type { TurnStore } from "./store.ts";

/** A list of scripted turns as it came in. */
export interface TurnList {
  /** The file's name; `null` for adds from code and the control API, which are numbered. */
  readonly source: string | null;
  readonly fixtures: unknown;
  /** The scope of each fixture that has none of its own. */
  readonly fixturesScope?: unknown;
}

/** The list of a fixture file. */
export function turnListOf({ name, fixtures, fixturesScope }: FixtureFile): TurnList {
  return { source: name, fixtures, fixturesScope };
}

export interface TurnAddOptions {
  readonly origin: Origin;
  /** The test whose end removes these turns again. */
  readonly owner?: string | null;
  /** The turns take the place of all that came from files; their counts start anew. */
  readonly replacesFiles?: boolean;
}

/** A checked add; nothing has changed until `commit`. */
export interface PreparedTurns {
  readonly count: number;
  readonly problems: readonly LlmProblem[];
  /** The same problems as load errors that name the file. */
  readonly errors: readonly FixtureLoadError[];
  commit(): void;
}

/** The door of the store: names lists of turns, checks them, and adds all or none. */
export interface TurnScripts {
  prepare(lists: readonly TurnList[], options: TurnAddOptions): PreparedTurns;
}

/** Owns the turns of files; no test id can hold a NUL. */
const FILES = "\0files";

/** A file's second load is named `@2`; adds from code and the control API are numbered by one count, as blocks are. `added` hears of each add. */
export function createTurnScripts(store: TurnStore, added: () => void = () => {}): TurnScripts {
  const loads = new Map<string, number>();
  let adds = 0;

  return {
    prepare(lists, { origin, owner = origin === "file" ? FILES : null, replacesFiles = false }) {
      const newLoads = replacesFiles ? new Map<string, number>() : new Map(loads);
      const read = lists.map(({ source, ...list }) => {
        const name = source === null ? `${origin}#${adds + 1}` : nameOfLoad(source, newLoads);
        return { name: source ?? name, reading: readLlmFixtures({ ...list, source: name }) };
      });
      const problems = read.flatMap(({ reading }) => (reading.ok ? [] : reading.problems));
      const fixtures = read.flatMap(({ reading }): readonly TurnFixture[] => (reading.ok ? reading.fixtures : []));
      return {
        count: fixtures.length,
        problems,
        errors: read.flatMap(({ name, reading }) => (reading.ok ? [] : llmErrors(reading.problems, name))),
        commit() {
          if (problems.length > 0) throw new Error("Turns with problems cannot be added");
          if (replacesFiles) {
            loads.clear();
            store.removeOwnedBy(FILES);
          }
          for (const [source, load] of newLoads) loads.set(source, load);
          if (origin !== "file" && fixtures.length > 0) adds += 1;
          store.add(fixtures, owner);
          if (fixtures.length > 0) added();
        },
      };
    },
  };
}

function nameOfLoad(source: string, loads: Map<string, number>): string {
  const load = (loads.get(source) ?? 0) + 1;
  loads.set(source, load);
  return load === 1 ? source : `${source}@${load}`;
}
