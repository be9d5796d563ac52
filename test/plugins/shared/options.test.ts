import { expect, test } from "vitest";
import { type McpFakesOptions, readOptions } from "../../../plugins/shared/options.ts";

/** What a user without types may write. */
function problems(options: unknown): string {
  try {
    readOptions(options as McpFakesOptions);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "none";
}

test("without options, everything has its default", () => {
  expect(readOptions({})).toEqual({
    fixtures: [],
    setup: null,
    mounts: ["/mcp"],
    host: "127.0.0.1",
    port: null,
    url: null,
    verify: "all",
    untagged: "warn",
    patchEnv: true,
    logLevel: "warn",
    fixtureCountsMax: 0,
    journalMax: 10_000,
  });
});

test("one path or mount is a list of one, undefined is not given, and port 0 is a free one", () => {
  const options = readOptions({ fixtures: "./fixtures", mount: ["/a", "/b"], port: 0, verify: undefined as never });
  expect(options).toMatchObject({ fixtures: ["./fixtures"], mounts: ["/a", "/b"], port: null, verify: "all" });
});

test("the url of a running server is its origin", () => {
  expect(readOptions({ url: "http://127.0.0.1:4010/" }).url).toBe("http://127.0.0.1:4010");
});

test.each([
  [{ fixtures: "" }, '"fixtures" must be a path or an array of paths, got "".'],
  [{ fixtures: ["a", 7] }, "\"fixtures\" must be a path or an array of paths, got [ 'a', 7 ]."],
  [{ setup: ["a"] }, "\"setup\" must be a path, got [ 'a' ]."],
  [{ mount: "mcp" }, '"mount" must be a path that starts with "/", or an array with at least one, got "mcp".'],
  [{ mount: [] }, '"mount" must be a path that starts with "/", or an array with at least one, got [].'],
  [{ host: 1 }, '"host" must be a host name or an address, got 1.'],
  [{ port: 65_536 }, '"port" must be a whole number from 0 to 65535, got 65536.'],
  [{ port: "80" }, '"port" must be a whole number from 0 to 65535, got "80".'],
  [{ url: "ws://a" }, '"url" must be the origin of a running server, like "http://127.0.0.1:4010", got "ws://a".'],
  [
    { url: "http://a/mcp" },
    '"url" must be the origin of a running server, like "http://127.0.0.1:4010", got "http://a/mcp".',
  ],
  [{ verify: true }, '"verify" must be "all", "failures" or "off", got true.'],
  [{ untagged: null }, '"untagged" must be "error", "warn" or "off", got null.'],
  [{ patchEnv: "yes" }, '"patchEnv" must be true or false, got "yes".'],
  [{ logLevel: "loud" }, '"logLevel" must be "silent", "error", "warn", "info" or "debug", got "loud".'],
  [{ journalMax: -1 }, '"journalMax" must be a whole number, 0 or more, got -1.'],
  [{ fixtureCountsMax: 1.5 }, '"fixtureCountsMax" must be a whole number, 0 or more, got 1.5.'],
  [
    { toString: 1 },
    'there is no option "toString". The options are fixtures, setup, mount, host, port, url, verify, untagged, patchEnv, logLevel, fixtureCountsMax, journalMax.',
  ],
  ["./fixtures", 'the options must be an object, got "./fixtures".'],
  [
    { url: "http://127.0.0.1:1", setup: "a.ts" },
    '"setup" cannot be used with "url": the server that runs there was started without it. Leave one out.',
  ],
])("%j is refused", (options, problem) => {
  expect(problems(options)).toBe(`mcp-fakes cannot start:\n  - ${problem}`);
});

test("all problems come at once", () => {
  expect(problems({ port: "80", verfy: "all" }).split("\n")).toHaveLength(3);
});
