import type { CallFact } from "../fakes/model.ts";
import type { Json } from "../json.ts";

/** Who made a message, as far as the journal is concerned. */
export interface FactIdentity {
  readonly testId: string | null;
  readonly context: string | null;
}

/** What a handler learnt of one message of an exchange: all that a journal record holds beyond the HTTP values. */
export interface ExchangeFacts {
  readonly service: string;
  /** `null` when the identity itself was refused. */
  readonly identity: FactIdentity | null;
  /** The request as parsed, for the journal's `body`; `null` when it is not kept. */
  readonly body: Json;
  /** What was answered to this message; absent when nothing was. */
  readonly answer?: Json;
  readonly mcp?: McpFacts;
  /** Text of what crashed. */
  readonly error?: string;
}

/** What an MCP message was: the method, its params and, for `tools/call`, how the call ended. */
export interface McpFacts {
  /** JSON-RPC method, e.g. `tools/call`. */
  readonly method: string;
  readonly params: Json;
  /** The path that the mock is served at. */
  readonly mount: string;
  /** `serverInfo`-like name of the client, when it told one at `initialize`. */
  readonly client: string | null;
  /** Only on `tools/call`. */
  readonly call?: CallFact;
}
