import { differences } from "../difference.ts";
import { isJsonObject, type Json, type JsonObject, pathStep } from "../json.ts";
import type { Pattern } from "../pattern.ts";
import type { SchemaCheck } from "../schema-check.ts";
import { showJson, showName, showPlain } from "../text.ts";
import type { CallSituation, Condition, Reason } from "./reason.ts";

/** Numbers from `min` to `max`, both included. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** A pattern for the argument at a dotted path. */
export interface ArgPattern {
  readonly path: string;
  readonly pattern: Pattern;
}

/** Exactly these arguments. */
export function exactArgs(args: JsonObject): Condition {
  return { ...condition("args", args, ({ received }) => differences(args, received)), named: { args, isWhole: true } };
}

/** These arguments among others, nested objects in part too, arrays whole. `name` is the key of the dialect. */
export function partialArgs(args: JsonObject, name: "args" | "partialArgs"): Condition {
  const partly = condition(name, args, ({ received }) => differences(args, received, { partial: true }));
  return { ...partly, named: { args, isWhole: false } };
}

/** Each argument at a path holds its pattern; one that is no string is searched as its JSON text. */
export function argsMatch(patterns: readonly ArgPattern[]): Condition {
  const declared = Object.fromEntries(patterns.map(({ path, pattern }) => [path, pattern.source]));
  return condition("argsMatch", declared, function* ({ received }) {
    for (const { path, pattern } of patterns) {
      const value = valueAt(received, path);
      const shown = `$${path.split(".").map(pathStep).join("")}`;
      if (value === undefined) {
        yield {
          kind: "missing-key",
          text: `${shown}: expected a match of ${showName(pattern.source)}, received nothing (key missing)`,
        };
      } else if (!pattern.test(typeof value === "string" ? value : JSON.stringify(value))) {
        yield {
          kind: "wrong-value",
          text: `${shown}: expected a match of ${showName(pattern.source)}, received ${showJson(value)}`,
        };
      }
    }
  });
}

/** Arguments that fit a JSON Schema. */
export function argsSchema(schema: JsonObject, check: SchemaCheck): Condition {
  return condition("argsSchema", schema, ({ received }) =>
    check(received).map(({ path, text }) => ({
      kind: "wrong-value",
      text: `${path}: ${showPlain(text)} (argsSchema)`,
    })),
  );
}

/** The call is in this place among the test's calls of the tool, from 0. */
export function callIndex(range: Range): Condition {
  return position("callIndex", range, range.min === range.max ? range.min : toJson(range));
}

/** The test has called the tool this often before. */
export function callCount(range: Range): Condition {
  return position("callCount", range, toJson(range));
}

/** The scenario is in this state. */
export function inState(state: string): Condition {
  return condition("state", state, (call) =>
    call.state === state
      ? []
      : [{ kind: "wrong-state", text: `state: expected ${showName(state)}, it is ${showName(call.state)}` }],
  );
}

/** Whether a condition asks how often the tool was called. */
export function countsCalls({ name }: Condition): boolean {
  return name === "callIndex" || name === "callCount";
}

/** The value at a dotted path (`a.b.0.c`) of a call's arguments. */
export function valueAt(received: Json, path: string): Json | undefined {
  return path.split(".").reduce<Json | undefined>((value, step) => {
    if (Array.isArray(value)) return /^\d+$/.test(step) ? value[Number(step)] : undefined;
    return value !== undefined && isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }, received);
}

// --- internal ---

function condition(name: string, declared: Json, reasons: (call: CallSituation) => Iterable<Reason>): Condition {
  return { name, declared, named: null, reasons };
}

function position(name: string, { min, max }: Range, declared: Json): Condition {
  const wanted =
    min === max ? `call ${min}` : max === Number.POSITIVE_INFINITY ? `call ${min} or later` : `calls ${min} to ${max}`;
  return condition(name, declared, (call) =>
    call.callIndex >= min && call.callIndex <= max
      ? []
      : [{ kind: "wrong-position", text: `${name}: expected ${wanted} of the tool, this is call ${call.callIndex}` }],
  );
}

function toJson({ min, max }: Range): JsonObject {
  return { ...(min === 0 ? {} : { min }), ...(max === Number.POSITIVE_INFINITY ? {} : { max }) };
}
