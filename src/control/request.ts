import { type Exchange, type Headers, jsonReply, type Reply } from "../http/exchange.ts";
import type { ExchangeFacts } from "../journal/facts.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Limits } from "../limits.ts";
import { parseBody } from "../parse-json.ts";
import type { Param } from "./route.ts";

/** A control request, its parameters checked. */
export interface ControlRequest {
  /** Only supported names; an empty value counts as not sent. */
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly headers: Headers;
  /** Leaves what was learnt for the journal. */
  note(facts: ExchangeFacts): void;
  /** The body as JSON. Throws a `ControlError` when it is none. */
  json(): Json;
}

/** Something wrong with a control request, answered with `status` and `{ "error": message }` plus `details`. */
export class ControlError extends Error {
  override name = "ControlError";
  readonly status: number;
  readonly details: readonly unknown[] | undefined;

  constructor(status: number, message: string, details?: readonly unknown[]) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** Reads a request's parameters; an unknown name is refused with the list of good ones, as is a value of a wrong kind. */
export function readRequest(
  exchange: Exchange,
  supported: Readonly<Record<string, Param>>,
  limits: Pick<Limits, "hit">,
): ControlRequest {
  const params: Record<string, string> = {};
  const asked = new URLSearchParams(exchange.query);
  for (const [name, value] of asked) {
    const param = Object.hasOwn(supported, name) ? supported[name] : undefined;
    if (param === undefined) {
      const known = Object.keys(supported).join(", ") || "none";
      throw new ControlError(400, `Unknown query parameter: '${name}'. Supported: ${known}`);
    }
    const count = asked.getAll(name).length;
    if (count > 1)
      throw new ControlError(400, `Duplicate query parameter: '${name}', ${count} values sent, expected one`);
    if (value === "") continue;
    const { test, allowed } = KINDS[param.kind];
    if (!test.test(value)) throw new ControlError(400, `Invalid '${name}': must be ${allowed}`);
    params[name] = value;
  }
  return {
    params,
    headers: exchange.headers,
    note: (facts) => exchange.note(facts),
    json() {
      const parsed = parseBody(exchange.body, limits);
      if (parsed.ok) return parsed.value;
      throw new ControlError(400, `Invalid JSON: ${parsed.reason.text}`);
    },
  };
}

const KINDS: Readonly<Record<Param["kind"], { readonly test: RegExp; readonly allowed: string }>> = {
  text: { test: /^/, allowed: "a string" },
  count: { test: /^\d+$/, allowed: "an integer >= 0" },
  integer: { test: /^-?\d+$/, allowed: "an integer" },
};

/** A parameter of kind `count` or `integer`, which is known to hold one. */
export function integerParam(params: ControlRequest["params"], name: string): number | undefined {
  const text = params[name];
  return text === undefined ? undefined : Number(text);
}

/** Refuses keys of a body that nothing would come of. `where` leads their names: `body.`. */
export function refuseUnknownKeys(given: JsonObject, supported: readonly string[], where = ""): void {
  const unknown = Object.keys(given).filter((key) => !supported.includes(key));
  if (unknown.length === 0) return;
  const named = unknown.map((key) => `'${where}${key}'`).join(", ");
  throw new ControlError(400, `Unknown key: ${named}. Supported: ${supported.join(", ")}`);
}

/** A parameter that must be there. */
export function requiredParam(params: ControlRequest["params"], name: string): string {
  const value = params[name];
  if (value !== undefined) return value;
  throw new ControlError(400, `Missing '${name}' query parameter`);
}

export function toErrorReply(error: unknown): Reply {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") throw error;
  const details = "details" in error && error.details !== undefined ? { details: error.details } : {};
  return jsonReply(error.status, { error: error.message, ...details });
}
