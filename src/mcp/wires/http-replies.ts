import { type BodyReply, type Exchange, jsonTextReply, type Reply } from "../../http/exchange.ts";
import type { Identity } from "../../identity.ts";
import type { Json } from "../../json.ts";
import { answerText, type RpcError, type RpcId, rpcError } from "../json-rpc.ts";

/** Where a POST came in, and from whom: what both eras answer it with. */
export interface Arrival {
  readonly exchange: Exchange;
  /** The path that the mock is served at. */
  readonly mount: string;
  /** What the request itself carried. */
  readonly identity: Identity;
  /** Where a value of it came whose percent-encoding does not decode. */
  readonly undecoded: readonly string[];
}

/** A refusal: an HTTP status with a JSON-RPC error. */
export function refusal(
  status: number,
  error: RpcError,
  { id = null, headers = {} }: { id?: RpcId; headers?: Readonly<Record<string, string>> } = {},
): BodyReply {
  return jsonTextReply(status, answerText(id, { error }), headers);
}

/** As {@link refusal}, from the error's parts. */
export function refuse(
  status: number,
  code: number,
  message: string,
  options?: { id?: RpcId; headers?: Readonly<Record<string, string>> },
): BodyReply {
  return refusal(status, rpcError(code, message).error, options);
}

/** What a POST gets that asks nothing. */
export function accepted(): BodyReply {
  return { status: 202, headers: {}, body: "" };
}

/** Exchanges without a JSON-RPC answer, refused ones above all, are in the journal too. */
export function journaled<R extends Reply>(exchange: Exchange, identity: Identity | null, reply: R): R {
  exchange.note({ service: "mcp", identity, body: null });
  return reply;
}

/** Leaves a message that is not answered with its exchange. */
export function noteMessage(
  { exchange, mount, identity }: Omit<Arrival, "undecoded">,
  { method, params, client }: { method: string; params: Json; client: string | null },
): void {
  exchange.note({ service: "mcp", identity, body: null, mcp: { method, params, mount, client } });
}
