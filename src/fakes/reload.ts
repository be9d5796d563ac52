import type { Block, Entry } from "./model.ts";

/** Orders between that of the first block that leaves and the next whole number, so that others keep their place. */
export function ordersInPlaceOf(leaving: readonly Block[]): () => number {
  const first = Math.floor(Math.min(...leaving.map((block) => block.order)));
  let placed = 0;
  return () => first + placed++ / 2 ** 24;
}

/** The blocks that a reload brought back as they were, each before and now. */
export function unchangedBlocks(
  before: ReadonlyMap<Block, string>,
  now: ReadonlyMap<Block, string>,
): readonly (readonly [Block, Block])[] {
  const keyOf = (block: Block, text: string) => `${block.id}\n${text}`;
  const again = new Map([...now].map(([block, text]) => [keyOf(block, text), block]));
  return [...before].flatMap(([block, text]): (readonly [Block, Block])[] => {
    const same = again.get(keyOf(block, text));
    return same === undefined ? [] : [[block, same]];
  });
}

/** All entries of a block, target by target. */
export function entriesOf(block: Block): Entry[] {
  return block.targets.flatMap((target) => target.entries);
}

/** Two lists of one length as pairs. */
export function zip<T>(one: readonly T[], other: readonly T[]): (readonly [T, T])[] {
  return one.flatMap((each, index): (readonly [T, T])[] => {
    const counterpart = other[index];
    return counterpart === undefined ? [] : [[each, counterpart]];
  });
}
