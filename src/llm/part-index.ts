/** Finds, among many short texts, those that stand in a long one, without trying each. */
export interface PartIndex<T> {
  add(part: string, value: T): void;
  remove(part: string, value: T): void;
  /** Every value whose part may stand in `text`: all that do, and few that do not. In no order. */
  candidates(text: string): T[];
}

/** Length of the piece by which a part is filed; shorter parts are candidates for every text. */
const PIECE = 4;

/**
 * Files each part under that piece of it which fewest others are filed under, so that parts with a common beginning
 * (`open ticket 1`, `open ticket 2`, …) still land in different places. Looking up walks the text once, however
 * many parts there are.
 */
export function createPartIndex<T>(): PartIndex<T> {
  const shelves = createShelves<number, T>();
  const short = new Set<T>();

  return {
    add(part, value) {
      if (part.length < PIECE) short.add(value);
      else {
        const rarest = piecesOf(part).reduce((a, b) => (shelves.size(b) < shelves.size(a) ? b : a));
        shelves.add(rarest, value);
      }
    },
    remove(part, value) {
      short.delete(value);
      for (const piece of piecesOf(part)) shelves.remove(piece, value);
    },
    candidates(text) {
      const pieces = shelves.isEmpty() ? [] : new Set(piecesOf(text));
      return [...short, ...[...pieces].flatMap((piece) => shelves.get(piece))];
    },
  };
}

/** Files each value under a text that must be the whole of the one looked up. */
export function createWholeIndex<T>(): PartIndex<T> {
  const shelves = createShelves<string, T>();
  return { add: shelves.add, remove: shelves.remove, candidates: (text) => [...shelves.get(text)] };
}

/** Each run of `PIECE` characters as a number; two different runs may rarely share one, which costs only a check. */
function piecesOf(text: string): number[] {
  const pieces: number[] = [];
  for (let end = PIECE; end <= text.length; end++) {
    let hash = 0;
    for (let at = end - PIECE; at < end; at++) hash = (Math.imul(hash, 31_337) + text.charCodeAt(at)) | 0;
    pieces.push(hash);
  }
  return pieces;
}

function createShelves<K, T>() {
  const shelves = new Map<K, Set<T>>();
  const NOTHING: ReadonlySet<T> = new Set<T>();
  return {
    isEmpty: () => shelves.size === 0,
    size: (key: K) => shelves.get(key)?.size ?? 0,
    get: (key: K): readonly T[] => [...(shelves.get(key) ?? NOTHING)],
    add(key: K, value: T): void {
      const shelf = shelves.get(key);
      if (shelf === undefined) shelves.set(key, new Set([value]));
      else shelf.add(value);
    },
    remove(key: K, value: T): void {
      const shelf = shelves.get(key);
      shelf?.delete(value);
      if (shelf?.size === 0) shelves.delete(key);
    },
  };
}
