/** Leads the paths that carry a test id. */
export const TAG_PREFIX = "/__test/";

/**
 * The base URL under which every request carries the test id, for a client that can be told nothing else.
 *
 * @example taggedBase("http://127.0.0.1:4010", "a.test.ts › works") // "http://127.0.0.1:4010/__test/a.test.ts%20%E2%80%BA%20works"
 */
export function taggedBase(url: string, testId: string): string {
  return `${url}${TAG_PREFIX}${encodeURIComponent(testId)}`;
}
