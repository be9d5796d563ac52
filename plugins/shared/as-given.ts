import { type Input, isInputObject, NotJson, readInput } from "../../src/input.ts";
import { pathStep } from "../../src/json.ts";

/**
 * The places of a value that would arrive at the server as something else: JSON turns dates into text, maps and
 * asymmetric matchers into objects, and `NaN` into `null`.
 *
 * @example changedByJson({ calls: [{ args: { at: new Date() } }] }) // ["calls[0].args.at must be plain JSON, got <an instance of Date>"]
 */
export function changedByJson(value: unknown): string[] {
  return placesOf(readInput(value), value, "");
}

/** What is wrong, place by place. `given` is the value that `input` is a copy of. */
function placesOf(input: Input, given: unknown, path: string): string[] {
  if (input instanceof NotJson) {
    const place = path.replace(/^\./, "") || "the value";
    return [`${place} must be plain JSON, got ${input.text}${isMatcher(given) ? MATCHER_ADVICE : ""}`];
  }
  if (Array.isArray(input)) {
    return input.flatMap((item, index) => placesOf(item, memberOf(given, index), path + pathStep(index)));
  }
  if (!isInputObject(input)) return [];
  return Object.entries(input).flatMap(([key, item]) => placesOf(item, memberOf(given, key), path + pathStep(key)));
}

const MATCHER_ADVICE =
  ", which only expect() understands: say which arguments an entry takes with partialArgs, argsMatch or argsSchema";

/** How asymmetric matchers are known, in Jest and in Vitest. */
function isMatcher(value: unknown): boolean {
  return memberOf(value, "$$typeof") === Symbol.for("jest.asymmetricMatcher");
}

function memberOf(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
