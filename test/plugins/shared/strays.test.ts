import { expect, test } from "vitest";
import { readOptions } from "../../../plugins/shared/options.ts";
import { reportStrays } from "../../../plugins/shared/strays.ts";

const CALL = { url: "http://127.0.0.1:4010/mcp", tool: "search", client: "agent", testId: null, timestamp: 0 };
const LATE = { ...CALL, client: null, testId: "a.test.ts › works" };

test("nothing is said of a run without stray calls", () => {
  expect(reportStrays({ untagged: [], late: [] }, readOptions({ untagged: "error" }))).toBeNull();
});

test("both kinds are told apart, and a late call makes the run red", () => {
  expect(reportStrays({ untagged: [CALL], late: [LATE, LATE] }, readOptions({}))).toEqual({
    text: `mcp-fakes: 2 tool calls arrived after the test had ended. Await all that the agent does before the test returns.
  1. search at http://127.0.0.1:4010/mcp (test a.test.ts › works)
  2. search at http://127.0.0.1:4010/mcp (test a.test.ts › works)

mcp-fakes: 1 tool call carried no test id, and so saw no test's own fakes. Calls made by a test get its id by themselves. For a client in another process use mcp.taggedUrl, mcp.headers or mcp.env.
  1. search at http://127.0.0.1:4010/mcp (client agent)

mcp-fakes: these requests make the run fail (exit code 1), whatever its tests say.`,
    isError: true,
  });
});

test("requests to models are told apart from tool calls", () => {
  const asked = { ...LATE, url: "http://127.0.0.1:4010/v1/chat/completions", tool: null, model: "gpt-4o" };
  expect(reportStrays({ untagged: [], late: [LATE, asked, asked] }, readOptions({}))?.text).toBe(
    `mcp-fakes: 1 tool call arrived after the test had ended. Await all that the agent does before the test returns.
  1. search at http://127.0.0.1:4010/mcp (test a.test.ts › works)

mcp-fakes: 2 requests to models arrived after the test had ended. Await all that the agent does before the test returns.
  1. gpt-4o at http://127.0.0.1:4010/v1/chat/completions (test a.test.ts › works)
  2. gpt-4o at http://127.0.0.1:4010/v1/chat/completions (test a.test.ts › works)

mcp-fakes: these requests make the run fail (exit code 1), whatever its tests say.`,
  );
});

test.each([
  ["error", true],
  ["warn", false],
] as const)("with untagged: %j, an untagged call makes the run red: %j", (untagged, isError) => {
  expect(reportStrays({ untagged: [CALL], late: [] }, readOptions({ untagged }))?.isError).toBe(isError);
});

test("what is switched off is not red, and untagged calls are not even named", () => {
  expect(reportStrays({ untagged: [CALL], late: [] }, readOptions({ untagged: "off" }))).toBeNull();
  expect(reportStrays({ untagged: [], late: [LATE] }, readOptions({ verify: "off" }))?.isError).toBe(false);
});

test("what an earlier attempt left running is told, and is not red", () => {
  const late = [{ ...LATE, testId: "a.test.ts › works (attempt 1)" }];
  expect(reportStrays({ untagged: [], late }, readOptions({}))).toEqual({
    text: `mcp-fakes: 1 tool call arrived after the test had ended. Await all that the agent does before the test returns.
  1. search at http://127.0.0.1:4010/mcp (test a.test.ts › works (attempt 1))`,
    isError: false,
  });
});

test("of very many, the first 20 are listed", () => {
  const untagged = Array.from({ length: 25 }, () => CALL);
  const lines = reportStrays({ untagged, late: [] }, readOptions({}))?.text.split("\n") ?? [];
  expect(lines).toHaveLength(22);
  expect(lines.at(-1)).toBe("  … and 5 more");
});
