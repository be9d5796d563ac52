import { canonicalText, isJsonObject, type Json } from "../json.ts";
import type { Entry } from "./model.ts";

/** The entries that may answer one tool for one request, in load order. */
export interface Candidates {
  readonly entries: readonly Entry[];
  /** Those that take these arguments. */
  matching(received: Json): readonly Entry[];
}

/** Candidates that grow with each block; finding a match costs the same however many there are. */
export interface GrowingCandidates extends Candidates {
  add(entry: Entry): void;
}

/**
 * A list of one tool's entries. Arguments match an `args` entry when their canonical texts are the same, so they
 * must be an object with equal members; an `anyArgs` entry takes whatever came.
 */
export function createCandidates(): GrowingCandidates {
  const entries: Entry[] = [];
  const byArgs = new Map<string, Entry[]>();
  const any: Entry[] = [];

  return {
    entries,
    add(entry) {
      entries.push(entry);
      if (entry.match.kind === "any") {
        any.push(entry);
        return;
      }
      const equal = byArgs.get(entry.match.key);
      if (equal === undefined) byArgs.set(entry.match.key, [entry]);
      else equal.push(entry);
    },
    matching(received) {
      const equal = (isJsonObject(received) && byArgs.get(canonicalText(received))) || [];
      return inLoadOrder([equal, any]);
    },
  };
}

/** Several lists as one. */
export function mergeCandidates(lists: readonly [Candidates, ...Candidates[]]): Candidates {
  if (lists.length === 1) return lists[0];
  return {
    entries: inLoadOrder(lists.map((list) => list.entries)),
    matching: (received) => inLoadOrder(lists.map((list) => list.matching(received))),
  };
}

/** Merges lists that are each in load order. */
export function inLoadOrder<T extends { readonly order: number }>(lists: readonly (readonly T[])[]): readonly T[] {
  const [only, ...others] = lists.filter((list) => list.length > 0);
  if (only === undefined) return [];
  return others.length === 0 ? only : [only, ...others].flat().sort((one, other) => one.order - other.order);
}
