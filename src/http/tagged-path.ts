import type { Exchange } from "./exchange.ts";

/** Leads the paths that carry a test id. */
const TAG = /^\/__test\/(?<testId>[^/]+)(?<path>\/.*)?$/;

/**
 * A path that begins with `/__test/<test id>` is the rest of it, asked with that test id. So a client that can be told
 * nothing but a base URL (a model's client in another process) is tagged by its base URL. The id is percent-encoded, as
 * in `?testId=`, and counts as sent there.
 *
 * @example untagPath({ path: "/__test/a%20%E2%80%BA%20b/v1/messages", … }) // path /v1/messages, query testId=a%20%E2%80%BA%20b
 */
export function untagPath(exchange: Exchange): Exchange {
  const found = exchange.path.startsWith("/__test/") ? TAG.exec(exchange.path)?.groups : undefined;
  if (found === undefined) return exchange;
  const { testId = "", path = "/" } = found;
  const tag = `testId=${testId.replaceAll("+", "%2B")}`;
  return { ...exchange, path, query: exchange.query === "" ? tag : `${exchange.query}&${tag}` };
}

/** The base URL under which every request carries the test id. */
export function taggedBase(url: string, testId: string): string {
  return `${url}/__test/${encodeURIComponent(testId)}`;
}
