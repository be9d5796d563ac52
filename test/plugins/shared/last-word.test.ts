import { expect, test } from "vitest";
import { lastWord } from "../../../plugins/shared/last-word.ts";
import { readOptions } from "../../../plugins/shared/options.ts";
import type { Strays } from "../../../plugins/shared/strays.ts";

const CALL = { url: "http://127.0.0.1:4010/mcp", tool: "search", client: "agent", testId: null, timestamp: 0 };
const LATE = { ...CALL, client: null, testId: "a.test.ts › works" };

/** What is said of stray calls alone. */
function wordOf(strays: Partial<Strays>, options: Parameters<typeof readOptions>[0]) {
  return lastWord(
    { strays: { untagged: [], late: [], unfinished: [], refused: [], ...strays }, usage: null },
    readOptions(options),
  );
}

test("nothing is said of a run without stray calls", () => {
  expect(wordOf({}, { untagged: "error" })).toBeNull();
});

test("the kinds are told apart, and a late call makes the run red", () => {
  const strays = { untagged: [CALL], late: [LATE, LATE], unfinished: [LATE] };
  expect(wordOf(strays, {})).toEqual({
    text: `mcp-fakes: 2 tool calls arrived after the test had ended, which makes the run fail (exit code 1) whatever its tests say. Await all that the agent does before the test returns.
  1. search at http://127.0.0.1:4010/mcp (test a.test.ts › works)
  2. search at http://127.0.0.1:4010/mcp (test a.test.ts › works)

mcp-fakes: 1 tool call had no answer yet when the test ended. Await all that the agent does before the test returns.
  1. search at http://127.0.0.1:4010/mcp (test a.test.ts › works)

mcp-fakes: 1 tool call carried no test id, and so saw no test's own fakes. Calls made by a test get its id by themselves. For a client in another process use mcp.taggedUrl, mcp.headers or mcp.env.
  1. search at http://127.0.0.1:4010/mcp (client agent)`,
    isError: true,
  });
});

test("requests to models are told apart from tool calls", () => {
  const asked = { ...LATE, url: "http://127.0.0.1:4010/v1/chat/completions", tool: null, model: "gpt-4o" };
  expect(wordOf({ late: [LATE, asked, asked] }, {})?.text).toBe(
    `mcp-fakes: 1 tool call arrived after the test had ended, which makes the run fail (exit code 1) whatever its tests say. Await all that the agent does before the test returns.
  1. search at http://127.0.0.1:4010/mcp (test a.test.ts › works)

mcp-fakes: 2 requests to models arrived after the test had ended, which makes the run fail (exit code 1) whatever its tests say. Await all that the agent does before the test returns.
  1. gpt-4o at http://127.0.0.1:4010/v1/chat/completions (test a.test.ts › works)
  2. gpt-4o at http://127.0.0.1:4010/v1/chat/completions (test a.test.ts › works)`,
  );
});

test("what makes the run red comes first", () => {
  const earlier = { ...LATE, testId: "a.test.ts › works (attempt 1)" };
  const { text = "" } =
    wordOf({ untagged: [CALL], late: [earlier, LATE], unfinished: [LATE] }, { untagged: "error" }) ?? {};
  expect(text.match(/^mcp-fakes: [^.]*/gm)).toEqual([
    "mcp-fakes: 1 tool call arrived after the test had ended, which makes the run fail (exit code 1) whatever its tests say",
    "mcp-fakes: 1 tool call carried no test id, and so saw no test's own fakes, which makes the run fail (exit code 1) whatever its tests say",
    "mcp-fakes: 1 tool call arrived after the test had ended",
    "mcp-fakes: 1 tool call had no answer yet when the test ended",
  ]);
});

test.each([
  ["error", true],
  ["warn", false],
] as const)("with untagged: %j, an untagged call makes the run red: %j", (untagged, isError) => {
  expect(wordOf({ untagged: [CALL] }, { untagged })?.isError).toBe(isError);
});

test("reads and prompts without a test id are told, and never make the run red", () => {
  const untagged = [
    { ...CALL, tool: null, resource: "docs://a" },
    { ...CALL, tool: null, prompt: "greet" },
  ];
  expect(wordOf({ untagged }, { untagged: "error" })).toEqual({
    text: `mcp-fakes: 1 read of a resource carried no test id, and so saw no test's own fakes. Calls made by a test get its id by themselves. For a client in another process use mcp.taggedUrl, mcp.headers or mcp.env.
  1. docs://a at http://127.0.0.1:4010/mcp (client agent)

mcp-fakes: 1 use of a prompt carried no test id, and so saw no test's own fakes. Calls made by a test get its id by themselves. For a client in another process use mcp.taggedUrl, mcp.headers or mcp.env.
  1. greet at http://127.0.0.1:4010/mcp (client agent)`,
    isError: false,
  });
  expect(wordOf({ untagged: [...untagged, CALL] }, { untagged: "error" })?.isError).toBe(true);
});

test("what is switched off is not red, and untagged calls are not even named", () => {
  expect(wordOf({ untagged: [CALL] }, { untagged: "off" })).toBeNull();
  expect(wordOf({ late: [LATE] }, { verify: "off" })?.isError).toBe(false);
});

test("what an earlier attempt left running is told, and is not red", () => {
  const late = [{ ...LATE, testId: "a.test.ts › works (attempt 1)" }];
  expect(wordOf({ late }, {})).toEqual({
    text: `mcp-fakes: 1 tool call arrived after the test had ended. Await all that the agent does before the test returns.
  1. search at http://127.0.0.1:4010/mcp (test a.test.ts › works (attempt 1))`,
    isError: false,
  });
});

test("of very many, the first 20 are listed", () => {
  const untagged = Array.from({ length: 25 }, () => CALL);
  const lines = wordOf({ untagged }, {})?.text.split("\n") ?? [];
  expect(lines).toHaveLength(22);
  expect(lines.at(-1)).toBe("  … and 5 more");
});

const SCOPED = { scope: { testId: "works" }, optional: false };
const entry = (entryId: string, file: string, uses: number) => ({ entryId, mount: "/mcp", file, uses });

test("of many fixture files, the ten most used are named on one line", () => {
  const entries = Array.from({ length: 13 }, (_, index) => ({
    ...entry(`${index}`, `${index}.json`, index + 1),
    ...SCOPED,
  }));
  const usage = { entries, faults: [], turns: [], unmet: [], closest: {}, complete: true };
  const strays = { untagged: [], late: [], unfinished: [], refused: [] };
  expect(lastWord({ strays, usage }, readOptions({}))).toEqual({
    text: "mcp-fakes: 13 fixture files gave 91 answers: 12.json (13), 11.json (12), 10.json (11), 9.json (10), 8.json (9), 7.json (8), 6.json (7), 5.json (6), 4.json (5), 3.json (4), 3 more.",
    isError: false,
  });
});
