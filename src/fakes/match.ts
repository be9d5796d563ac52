import { canonicalText, isJsonObject, type JsonObject } from "../json.ts";
import { countsCalls } from "./conditions.ts";
import { filledFrom, merged } from "./definition.ts";
import type { BlockTarget, Entry, EntryMatch } from "./model.ts";
import type { DeclaredMatch } from "./outcome.ts";
import type { CallSituation } from "./reason.ts";
import type { Script } from "./script.ts";

/** The entries that may answer for one target of one request, in load order. */
export interface Candidates {
  readonly entries: readonly Entry[];
  /** The target as the first block that declares it has it, and what that leaves unsaid as the next ones do. */
  readonly definition: JsonObject;
  /** Whether some entry asks how often the target was asked for before. */
  readonly countsCalls: boolean;
  /** How calls are treated that no entry takes; `null` when only `mcpFakes` blocks declare the target. */
  readonly script: Script | null;
  /** Those that take this call, in load order. */
  matching(call: CallSituation): readonly Entry[];
}

/** Candidates that grow with each block; finding an exact match costs the same however many there are. */
export interface GrowingCandidates extends Candidates {
  add(target: BlockTarget, script: Script | null): void;
}

/**
 * A list of one target's entries. Arguments match an `args` entry when their canonical texts are the same, so they
 * must be an object with equal members; an `anyArgs` entry takes whatever came; entries with conditions are tried in turn.
 */
export function createCandidates(): GrowingCandidates {
  let definition: JsonObject | undefined;
  const entries: Entry[] = [];
  const byArgs = new Map<string, Entry[]>();
  const any: Entry[] = [];
  const conditional: Entry[] = [];
  let counts = false;
  let script: Script | null = null;

  function add(entry: Entry): void {
    entries.push(entry);
    const { match } = entry;
    switch (match.kind) {
      case "any":
        any.push(entry);
        return;
      case "when":
        conditional.push(entry);
        counts ||= match.conditions.some(countsCalls);
        return;
      case "args": {
        const equal = byArgs.get(match.key);
        if (equal === undefined) byArgs.set(match.key, [entry]);
        else equal.push(entry);
      }
    }
  }

  return {
    entries,
    get definition() {
      return definition ?? {};
    },
    get countsCalls() {
      return counts;
    },
    get script() {
      return script;
    },
    add(target, itsScript) {
      script ??= itsScript;
      definition = definition === undefined ? target.definition : filledFrom(definition, target.definition);
      for (const entry of target.entries) add(entry);
    },
    matching(call) {
      const { received } = call;
      const equal = (byArgs.size > 0 && isJsonObject(received) && byArgs.get(canonicalText(received))) || NONE;
      if (conditional.length === 0) return any.length === 0 ? equal : inLoadOrder([equal, any]);
      return inLoadOrder([equal, any, conditional.filter((entry) => takes(entry.match, call))]);
    },
  };
}

const NONE: readonly Entry[] = [];

/** Several lists as one. */
export function mergeCandidates(lists: readonly Candidates[]): Candidates {
  return {
    entries: inLoadOrder(lists.map((list) => list.entries)),
    get definition() {
      return merged(lists.map((list) => list.definition)) ?? {};
    },
    countsCalls: lists.some((list) => list.countsCalls),
    script: lists.find((list) => list.script !== null)?.script ?? null,
    matching: (call) => inLoadOrder(lists.map((list) => list.matching(call))),
  };
}

/** Merges lists that are each in load order. */
export function inLoadOrder<T extends { readonly order: number }>(lists: readonly (readonly T[])[]): readonly T[] {
  const [only, ...others] = lists.filter((list) => list.length > 0);
  if (only === undefined) return [];
  return others.length === 0 ? only : [only, ...others].flat().sort((one, other) => one.order - other.order);
}

/** What an entry takes, in its author's words. */
export function declaredMatch(match: EntryMatch): DeclaredMatch {
  switch (match.kind) {
    case "args":
      return { args: match.args };
    case "any":
      return { anyArgs: true };
    case "when":
      return { when: Object.fromEntries(match.conditions.map(({ name, declared }) => [name, declared])) };
  }
}

function takes(match: EntryMatch, call: CallSituation): boolean {
  if (match.kind !== "when") return true;
  return match.conditions.every((condition) => isEmpty(condition.reasons(call)));
}

function isEmpty(items: Iterable<unknown>): boolean {
  return items[Symbol.iterator]().next().done === true;
}
