import { keyOf, METHODS, type TargetKey, type TargetKind } from "../../fakes/target.ts";
import { type BodyReply, type Exchange, jsonTextReply, type Reply } from "../../http/exchange.ts";
import { type Identity, readIdentity } from "../../identity.ts";
import { isJsonObject, type Json } from "../../json.ts";
import { parseJson } from "../../parse-json.ts";
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
  const reason = reasonOf(reply);
  const refused = reason === null ? null : { reason, asked: targetsIn(exchange.body) };
  exchange.note({ service: "mcp", identity, body: null, ...(refused && { refused }) });
  return reply;
}

/** Who asks for a stream, as far as that can be read: streams are refused for other reasons first. */
export function identityOf(exchange: Exchange): Identity | null {
  const reading = readIdentity(exchange);
  return reading.ok ? reading.identity : null;
}

/** Leaves a message that is not answered with its exchange. */
export function noteMessage(
  { exchange, mount, identity }: Omit<Arrival, "undecoded">,
  { method, params, client }: { method: string; params: Json; client: string | null },
): void {
  exchange.note({ service: "mcp", identity, body: null, mcp: { method, params, mount, client } });
}

/** The target that a request asks for. */
export function targetAsked({ method, params }: { method?: Json; params?: Json | undefined }): TargetKey[] {
  const kind = KINDS.find((each) => METHODS[each] === method);
  const given = params !== undefined && isJsonObject(params) ? params : {};
  const name = kind === "resource" ? given.uri : given.name;
  return kind === undefined || typeof name !== "string" ? [] : [keyOf({ kind, name })];
}

// --- internal ---

/** What a reply refuses with; `null` for one that refuses nothing. */
function reasonOf(reply: Reply): string | null {
  const parsed = "body" in reply ? parseJson(reply.body) : null;
  const error = parsed?.ok && isJsonObject(parsed.value) ? parsed.value.error : undefined;
  if (error === undefined || typeof error === "string") return error ?? null;
  return isJsonObject(error) && typeof error.message === "string" ? error.message : null;
}

const KINDS: readonly TargetKind[] = ["tool", "resource", "prompt"];

/** The targets that a refused body asks for: its client believes to have asked. */
export function targetsIn(body: string): TargetKey[] {
  const parsed = parseJson(body);
  const messages = !parsed.ok ? [] : Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  return messages.flatMap((message) => (isJsonObject(message) ? targetAsked(message) : []));
}
