import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { JsonObject } from "../../json.ts";

/** Signs what the server hands to a client to bring back (`requestState`), so that only its own words come back. */
export interface StateSeal {
  seal(state: JsonObject): string;
  /** The state, or `undefined` when the text is not one that this seal made. */
  open(text: string): JsonObject | undefined;
}

/** A seal with a key of its own: states of another process are refused. */
export function createStateSeal(key: Buffer = randomBytes(32)): StateSeal {
  const sign = (payload: string) => createHmac("sha256", key).update(payload).digest("base64url");
  return {
    seal(state) {
      const payload = Buffer.from(JSON.stringify(state)).toString("base64url");
      return `${payload}.${sign(payload)}`;
    },
    open(text) {
      const [payload = "", signature = "", ...more] = text.split(".");
      const expected = Buffer.from(sign(payload));
      const given = Buffer.from(signature);
      if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      return JSON.parse(Buffer.from(payload, "base64url").toString());
    },
  };
}
