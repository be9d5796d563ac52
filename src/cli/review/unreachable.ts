import type { Entry } from "../../fakes/model.ts";
import { entriesOf } from "../../fakes/reload.ts";
import type { FixtureFile } from "../../fixtures/read.ts";
import { canonicalText, isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { showName } from "../../text.ts";
import { entryPath } from "./entry-paths.ts";
import type { Finding, Reviewed } from "./review.ts";

/** Entries and turns that can never answer, because one before them takes whatever they would take, for ever. */
export function unreachableFindings({ blocks, files }: Reviewed): Finding[] {
  const entries = blocks.flatMap(({ file, source, block }) => {
    if (block === null) return [];
    const { mount, scope } = block;
    return entriesOf(block).map((entry) => ({
      entry,
      file,
      source,
      shelf: JSON.stringify([mount, scope, entry.target]),
    }));
  });
  const ofEntries = hiddenIn(entries, ({ entry: before }, { entry }) => hides(before, entry)).map(([each, before]) => ({
    file: each.file,
    path: entryPath(each.source, each.entry.id),
    message: `entry ${showName(each.entry.id)} can never answer: entry ${showName(before.entry.id)} before it takes every call that it would take, without end`,
  }));
  const turns = files.flatMap(turnsOf);
  const ofTurns = hiddenIn(turns, (before, each) => hidesTurn(before.match, each.match)).map(([each, before]) => ({
    file: each.file,
    path: ["fixtures", each.index],
    message: `fixtures[${each.index}] can never answer: fixtures[${before.index}] of ${showName(before.file.name)} before it takes every request that it would take`,
  }));
  return [...ofEntries, ...ofTurns];
}

/** Each item that an earlier one of its shelf hides, with that one. */
function hiddenIn<Item extends { readonly shelf: string }>(
  items: readonly Item[],
  isHidden: (before: Item, item: Item) => boolean,
): (readonly [Item, Item])[] {
  const shelves = new Map<string, Item[]>();
  return items.flatMap((item): (readonly [Item, Item])[] => {
    const earlier = shelves.get(item.shelf) ?? [];
    shelves.set(item.shelf, earlier);
    const before = earlier.find((each) => isHidden(each, item));
    earlier.push(item);
    return before === undefined ? [] : [[item, before]];
  });
}

function hides(before: Entry, entry: Entry): boolean {
  // Expectations have an order of their own, and a mode that says what it means.
  if (before.uses.max !== Number.POSITIVE_INFINITY || before.expectation !== null) return false;
  if (before.match.kind === "any") return true;
  return before.match.kind === "args" && entry.match.kind === "args" && before.match.key === entry.match.key;
}

interface Turn {
  readonly file: FixtureFile;
  readonly index: number;
  readonly shelf: string;
  readonly match: JsonObject;
}

function turnsOf(file: FixtureFile): Turn[] {
  const { fixtures, fixturesScope } = file;
  return fixtures.flatMap((fixture, index) => {
    if (!isJsonObject(fixture) || !isJsonObject(fixture.match)) return [];
    const scope: Json = fixture.scope ?? fixturesScope ?? "shared";
    return { file, index, shelf: canonicalText(scope), match: fixture.match };
  });
}

/** A turn with an index of its sequence or conversation has its moments; any other answers for ever. */
function hidesTurn(before: JsonObject, match: JsonObject): boolean {
  if ("sequenceIndex" in before || "turnIndex" in before || "turnIndex" in match) return false;
  return Object.keys(before).length === 0 || canonicalText(before) === canonicalText(match);
}
