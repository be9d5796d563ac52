import { type DocumentNode, type MemberNode, parse, type ValueNode } from "@humanwhocodes/momoa";
import type { Json } from "../json.ts";
import { nestingProblem } from "../parse-json.ts";

/** A place in a text, both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface JsonSyntaxProblem {
  readonly problem: string;
  readonly at: Position;
}

/** A JSON text whose values can be found again. */
export interface JsonText {
  /** Where the value at `path` stands; for a member that is not there, where its nearest parent stands. */
  positionOf(path: readonly (string | number)[]): Position;
  /** The keys that some object has more than once; the last of each counts. */
  repeatedKeys(): readonly RepeatedKey[];
}

/** A key that an object of a JSON text has had before. */
export interface RepeatedKey {
  /** From the root to the key. */
  readonly path: readonly (string | number)[];
  readonly at: Position;
}

/** Reads JSON text; answers what is wrong with it, and where, when it is none. */
export function readJsonText(text: string): (JsonText & { readonly value: Json }) | JsonSyntaxProblem {
  const tooDeep = nestingProblem(text);
  if (tooDeep !== null) return { problem: tooDeep, at: { line: 1, column: 1 } };
  let value: Json;
  let document: DocumentNode;
  try {
    value = JSON.parse(text);
    document = parse(text, { mode: "json" });
  } catch (error) {
    return syntaxProblem(text, error instanceof Error ? error.message : String(error));
  }
  return {
    value,
    positionOf(path) {
      let node: ValueNode = document.body;
      let start: Position = node.loc.start;
      for (const step of path) {
        const found = stepInto(node, step);
        if (found === undefined) break;
        node = found.value;
        start = found.start;
      }
      return { line: start.line, column: start.column };
    },
    repeatedKeys: () => repeatedIn(document.body, []),
  };
}

// --- internal ---

function repeatedIn(node: ValueNode, path: readonly (string | number)[]): RepeatedKey[] {
  if (node.type === "Array") return node.elements.flatMap(({ value }, index) => repeatedIn(value, [...path, index]));
  if (node.type !== "Object") return [];
  const seen = new Set<string>();
  return node.members.flatMap((member) => {
    const key = keyOf(member);
    const own = [...path, key];
    const { line, column } = member.loc.start;
    const again = seen.has(key) ? [{ path: own, at: { line, column } }] : [];
    seen.add(key);
    return [...again, ...repeatedIn(member.value, own)];
  });
}

function keyOf({ name }: MemberNode): string {
  return name.type === "String" ? name.value : name.name;
}

/** A member's place is that of its key: that is what an author looks for. */
function stepInto(node: ValueNode, step: string | number): { value: ValueNode; start: Position } | undefined {
  if (node.type === "Array") {
    const value = typeof step === "number" ? node.elements[step]?.value : undefined;
    return value === undefined ? undefined : { value, start: value.loc.start };
  }
  if (node.type !== "Object") return undefined;
  const member = node.members.find((each) => keyOf(each) === step);
  return member === undefined ? undefined : { value: member.value, start: member.loc.start };
}

/** The words are the JavaScript engine's; where it does not say the place, the other parser does. */
function syntaxProblem(text: string, message: string): JsonSyntaxProblem {
  const [place, offset] = / in JSON at position (\d+).*$/.exec(message) ?? [];
  const problem = place === undefined ? message : message.slice(0, -place.length);
  if (offset !== undefined) return { problem, at: positionAt(text, Number(offset)) };
  return { problem, at: message.includes("end of JSON input") ? positionAt(text, text.length) : unexpectedIn(text) };
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

function unexpectedIn(text: string): Position {
  try {
    parse(text, { mode: "json" });
  } catch (error) {
    const { line = 1, column = 1 } = error as Partial<Position>; // the parser's errors carry their place
    return { line, column };
  }
  return { line: 1, column: 1 };
}
