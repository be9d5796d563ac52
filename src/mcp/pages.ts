import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { type Answer, RPC, type RpcError, rpcError } from "./json-rpc.ts";

/** Answers one page of a list (MCP, Pagination). A page size of 0 puts all on one page. */
export function pageOf(
  member: string,
  items: readonly JsonObject[],
  { params, pageSize }: { params: Json | undefined; pageSize: number },
): Answer {
  const cursor = isJsonObject(params) ? params.cursor : undefined;
  const start = cursor === undefined ? 0 : startOf(cursor, member);
  // A list may have grown shorter since the cursor was given out; what was never its place is refused.
  if (start === undefined || (start > 0 && start >= items.length)) {
    return invalidCursor(cursor);
  }
  const end = pageSize === 0 ? items.length : start + pageSize;
  const page = { [member]: items.slice(start, end) };
  return { result: end < items.length ? { ...page, nextCursor: cursorOf(end, member) } : page };
}

export function invalidCursor(cursor: Json | undefined): { readonly error: RpcError } {
  const text = `Invalid cursor ${JSON.stringify(cursor)}: use the nextCursor of an earlier page`;
  return rpcError(RPC.invalidParams, text);
}

/** Opaque to clients; bound to its list, so that a cursor of another list is refused. */
function cursorOf(start: number, member: string): string {
  return Buffer.from(`${member}:${start}`).toString("base64url");
}

function startOf(cursor: Json, member: string): number | undefined {
  if (typeof cursor !== "string") return undefined;
  const [list, start] = Buffer.from(cursor, "base64url").toString().split(":");
  return list === member && /^\d+$/.test(start ?? "") ? Number(start) : undefined;
}
