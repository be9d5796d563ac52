import { type Exchange, jsonReply, type Reply } from "../http/exchange.ts";
import type { Json } from "../json.ts";
import { parseJson } from "../parse-json.ts";

/** A control request, its parameters checked. */
export interface ControlRequest {
  /** Only supported names; an empty value counts as not sent. */
  readonly params: Readonly<Record<string, string | undefined>>;
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

/** Reads a request's parameters; an unknown name is refused with the list of good ones. */
export function readRequest(exchange: Exchange, supported: readonly string[]): ControlRequest {
  const params: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(exchange.query)) {
    if (!supported.includes(name)) {
      const known = supported.length === 0 ? "none" : supported.join(", ");
      throw new ControlError(400, `Unknown query parameter: '${name}'. Supported: ${known}`);
    }
    if (value !== "") params[name] = value;
  }
  return {
    params,
    json() {
      const parsed = parseJson(exchange.body);
      if (parsed.ok) return parsed.value;
      throw new ControlError(400, `Invalid JSON: ${parsed.reason.text}`);
    },
  };
}

/** A parameter that must be an integer of at least `min`. */
export function integerParam(params: ControlRequest["params"], name: string, min: number | null): number | undefined {
  const text = params[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^-?\d+$/.test(text) && (min === null || value >= min)) return value;
  throw new ControlError(400, `Invalid '${name}': must be an integer${min === null ? "" : ` >= ${min}`}`);
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
