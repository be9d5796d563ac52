import { TAG_PREFIX } from "../tagged-base.ts";
import type { Exchange } from "./exchange.ts";

/**
 * A path that begins with `/__test/<test id>` is the rest of it, asked with that test id. The id is
 * percent-encoded, as in `?testId=`, and counts as sent there.
 *
 * @example untagPath({ path: "/__test/a%20%E2%80%BA%20b/v1/messages", … }) // path /v1/messages, query testId=a%20%E2%80%BA%20b
 */
export function untagPath(exchange: Exchange): Exchange {
  if (!exchange.path.startsWith(TAG_PREFIX)) return exchange;
  const [testId = "", ...rest] = exchange.path.slice(TAG_PREFIX.length).split("/");
  if (testId === "") return exchange;
  const tag = `testId=${testId.replaceAll("+", "%2B")}`;
  return { ...exchange, path: `/${rest.join("/")}`, query: exchange.query === "" ? tag : `${exchange.query}&${tag}` };
}
