import * as z from "zod/mini";
import { pathStep } from "../json.ts";
import { nearestName } from "../nearest-name.ts";
import { cut, escapeControls, showName } from "../text.ts";

/** One thing that is wrong with a value. */
export interface Problem {
  /** Where, from the value's root: `["tools", 0, "default"]`. */
  readonly path: readonly (string | number)[];
  /** What, without the place. */
  readonly text: string;
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly [Problem, ...Problem[]] };

/** Checks a value against a schema: the value, or everything that is wrong with it. */
export function check<T>(schema: z.core.$ZodType<T>, value: unknown): Checked<T> {
  const parsed = z.safeParse(schema, value, { reportInput: true });
  if (parsed.success) return { ok: true, value: parsed.data };
  const [first, ...others] = parsed.error.issues.flatMap((issue) => explain(issue, schema, []));
  // A failed parse has at least one issue, and each issue gives at least one problem.
  return { ok: false, problems: [first ?? { path: [], text: "is not valid" }, ...others] };
}

/** `$.tools[0].default: has both content and error` */
export function showProblem({ path, text }: Problem): string {
  return `${showPath(path)}: ${text}`;
}

/** `$.tools[0].default` */
export function showPath(path: readonly (string | number)[]): string {
  return `$${path.map(pathStep).join("")}`;
}

// --- internal ---

type Issue = z.core.$ZodIssue;

function explain(issue: Issue, schema: z.core.$ZodType, base: readonly (string | number)[]): Problem[] {
  const path = [...base, ...issue.path.map((step) => (typeof step === "symbol" ? String(step) : step))];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        path: [...path, key],
        text: `unknown key; known: ${knownKeys(schema, path)}`,
      }));
    case "invalid_union":
      return explainUnion(issue, schema, path);
    case "invalid_key":
      return issue.issues.map(({ message }) => ({ path, text: message }));
    case "custom":
      return [{ path, text: issue.message }];
    default:
      if (issue.input === undefined) return [{ path, text: `is missing; it must be ${expected(issue)}` }];
      return [{ path, text: wrong(issue.input, expected(issue), wordsOf(issue)) }];
  }
}

/** Messages are cut at their end: where many words are allowed, what came and the word that it may mean go first. */
function wrong(got: unknown, allowed: string, words: readonly string[]): string {
  if (words.length <= FEW) return `must be ${allowed}, got ${show(got)}`;
  const nearest = typeof got === "string" ? nearestName(words, got) : undefined;
  const meant = nearest === undefined ? "" : ` (the closest is ${JSON.stringify(nearest)})`;
  return `got ${show(got)}${meant}, but must be ${allowed}`;
}

/** So many words fit into a message with what came instead. */
const FEW = 8;

/** The words that would have been right. */
function wordsOf(issue: Issue): readonly string[] {
  return issue.code === "invalid_value" ? issue.values.filter((value) => typeof value === "string") : [];
}

/** What would have been right, in words. */
function expected(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return TYPE_NAMES[issue.expected] ?? issue.expected;
    case "invalid_value":
      return oneOf(issue.values.map((value) => JSON.stringify(value)));
    case "too_small":
      return sized(issue.origin, `at least ${issue.minimum}`);
    case "too_big":
      return sized(issue.origin, `at most ${issue.maximum}`);
    default:
      return issue.message;
  }
}

function sized(origin: string, size: string): string {
  if (origin === "number" || origin === "int") return size;
  return origin === "array" ? `an array of ${size}` : `a text of ${size}`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "an array",
};

/** When no form fits at all, the forms are named; when one was meant, its own problems are told. */
function explainUnion(
  issue: z.core.$ZodIssueInvalidUnion,
  schema: z.core.$ZodType,
  path: readonly (string | number)[],
): Problem[] {
  if (issue.errors.length === 0) {
    // No form has this word where the forms tell themselves apart.
    const words = schemasAt(schema, path).flatMap((each) => [...(each._zod.values ?? [])]);
    const [got] = path.slice(-1).flatMap((key) => (isRecord(issue.input) ? [issue.input[key]] : []));
    return [{ path, text: `must be ${oneOf(words.map((word) => JSON.stringify(word)))}, got ${show(got)}` }];
  }
  const meant = issue.errors.filter((errors) => !errors.some((each) => each.path.length === 0 && isWrongKind(each)));
  const [best] = meant.sort((one, other) => one.length - other.length);
  if (best !== undefined) return best.flatMap((each) => explain(each, schema, path));
  const forms = [...new Set(issue.errors.flatMap(([first]) => (first === undefined ? [] : [expected(first)])))];
  const words = issue.errors.flatMap(([first]) => (first === undefined ? [] : wordsOf(first)));
  return [{ path, text: wrong(issue.input, oneOf(forms), words) }];
}

function isWrongKind(issue: Issue): boolean {
  return issue.code === "invalid_type" || issue.code === "invalid_value";
}

function oneOf(words: readonly string[]): string {
  if (words.length <= 1) return words.join("");
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function show(value: unknown): string {
  return cut(escapeControls(JSON.stringify(value) ?? String(value)));
}

/** The keys that the object at `path` may have. */
function knownKeys(schema: z.core.$ZodType, path: readonly (string | number)[]): string {
  const keys = schemasAt(schema, path).flatMap((each) =>
    each instanceof z.core.$ZodObject ? Object.keys(each._zod.def.shape) : [],
  );
  return [...new Set(keys)]
    .filter((key) => !COMMENT_KEYS.has(key))
    .map(showName)
    .join(", ");
}

const COMMENT_KEYS = new Set(["$schema", "_comment"]);

function schemasAt(schema: z.core.$ZodType, path: readonly (string | number)[]): readonly z.core.$ZodType[] {
  return path.reduce((schemas, step) => schemas.flatMap((each) => stepInto(each, step)), unwrap(schema));
}

function isRecord(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === "object" && value !== null;
}

function stepInto(schema: z.core.$ZodType, step: string | number): readonly z.core.$ZodType[] {
  if (schema instanceof z.core.$ZodArray) return typeof step === "number" ? unwrap(schema._zod.def.element) : [];
  if (schema instanceof z.core.$ZodRecord) return unwrap(schema._zod.def.valueType);
  if (!(schema instanceof z.core.$ZodObject)) return [];
  const member = schema._zod.def.shape[step];
  return member === undefined ? [] : unwrap(member);
}

/** The schemas that a value really meets: behind `optional` and the like, and each form of a union. */
function unwrap(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.core.$ZodOptional || schema instanceof z.core.$ZodNullable)
    return unwrap(schema._zod.def.innerType);
  if (schema instanceof z.core.$ZodUnion) return schema._zod.def.options.flatMap(unwrap);
  return [schema];
}
