import type { Reply } from "../http/exchange.ts";
import type { ControlRequest } from "./request.ts";
import type { JsonSchema } from "./schemas.ts";

/** One route of the control API: what its document says of it, and what it answers. */
export interface Route {
  /** Verb and path below `/__aimock`. */
  readonly route: `${"GET" | "POST" | "DELETE"} /${string}`;
  /** One sentence, without a full stop. */
  readonly summary: string;
  /** The query parameters it knows; any other is refused. */
  readonly params?: Readonly<Record<string, Param>>;
  /** The JSON body it reads. */
  readonly body?: JsonSchema;
  /** What a 200 holds. */
  readonly ok: JsonSchema;
  /** What a 200 is, when it is not `application/json`. */
  readonly okType?: "text/event-stream";
  /** Statuses of errors, beside the 400 of every route that reads a parameter or a body. */
  readonly errors?: readonly number[];
  readonly deprecated?: true;
  answer(request: ControlRequest): Reply;
}

export interface Param {
  readonly kind: "text" | "count" | "integer";
  readonly meaning: string;
}
