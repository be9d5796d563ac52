import { canonicalText, type JsonObject } from "../json.ts";
import type { TurnFixture } from "./fixture.ts";

/**
 * The name under which a fixture's answers are counted. Sequenced fixtures that ask for the same apart from
 * `sequenceIndex` share one, so that the second of them is next after the first has answered.
 */
export function counterKey({ id, written, scope }: TurnFixture): string {
  if (written.sequenceIndex === undefined) return id;
  const criteria: JsonObject = { scope: scope === "shared" ? scope : { ...scope } };
  for (const [key, wanted] of Object.entries(written)) {
    if (key !== "sequenceIndex") criteria[key] = textOf(wanted);
  }
  return canonicalText(criteria);
}

function textOf(wanted: unknown): string {
  if (typeof wanted === "function") return nameOf(wanted);
  return wanted instanceof RegExp ? `/${wanted}` : JSON.stringify(wanted);
}

const functionNames = new WeakMap<object, string>();
let functionsNamed = 0;

/** Two predicates ask for the same only when they are one function. */
function nameOf(predicate: object): string {
  const known = functionNames.get(predicate);
  if (known !== undefined) return known;
  const name = `function ${++functionsNamed}`;
  functionNames.set(predicate, name);
  return name;
}
