import { createHash, timingSafeEqual } from "node:crypto";
import { type Exchange, jsonReply, type Reply } from "../http/exchange.ts";

/** Refuses a request that does not carry the token. Without a token, every request may pass. */
export function createGuard(token: string | null): (exchange: Exchange) => Reply | undefined {
  if (token === null) return () => undefined;
  const expected = digest(`Bearer ${token}`);
  return ({ headers }) => {
    // Digests have one length, so that the comparison tells nothing of the token, its length included.
    if (timingSafeEqual(digest(headers.authorization ?? ""), expected)) return undefined;
    const error = "This server asks for its token: send Authorization: Bearer <token>";
    return jsonReply(401, { error }, { "www-authenticate": "Bearer" });
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
