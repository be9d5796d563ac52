/** A file of the red project whose test would be green, were it not for its fakes. */
export interface RedCase {
  readonly why: string;
  readonly file: string;
  readonly test: string;
  /** What the test is told, whichever runner it has. */
  readonly text: string;
  /** Whether the runner shows how the call differs from the closest fake. */
  readonly hasDiff: boolean;
}

/** The difference, with the name that the runner gives to a plain object. */
export const diffOf = (name: "" | "Object ") => `- Expected
+ Received

  ${name}{
-   "city": "Seattle",
+   "city": "seattle",
  }`;

const mismatch = (testId: string) => `1 fake failure:
  1. MCP_FAKE_MISMATCH: aimock MCP fake mismatch: tool "get_weather" was called with arguments that match no declared fake (testId "${testId}"). Received {"city":"seattle"}. Declared: weather.json:get_weather#0 {"city":"Seattle"}.
     $.city: expected "Seattle", received "seattle"`;

const UNUSED = `1 unused fake:
  id                          arguments           file
  weather.json:get_weather#0  {"city":"Seattle"}  weather.json`;

function redCase(why: string, id: string, problems: readonly string[]): RedCase {
  const [file = "", test = ""] = id.split(" › ");
  const paragraphs = ["The agent did not do what the fakes of this test say.", `Test: ${id}`, ...problems];
  return { why, file, test, text: paragraphs.join("\n\n"), hasDiff: paragraphs.join().includes("MISMATCH") };
}

export const RED_CASES: readonly RedCase[] = [
  redCase("a mismatch that the agent swallowed", "mismatch.test.ts › weather", [
    mismatch("mismatch.test.ts › weather"),
  ]),
  redCase("an exhausted fake, in a concurrent test", "exhausted.test.ts › weather", [
    `1 fake failure:
  1. MCP_FAKE_EXHAUSTED: aimock MCP fake exhausted: tool "get_weather" with {"city":"Seattle"} was called again, but the 1 matching fake is already used (testId "exhausted.test.ts › weather").`,
  ]),
  redCase("a tool that the scenario does not declare", "not-declared.test.ts › weather", [
    `1 fake failure:
  1. MCP_FAKE_NOT_DECLARED: Unknown tool: delete_account (aimock MCP fake not declared: this scenario denies undeclared tools; testId "not-declared.test.ts › weather").`,
  ]),
  redCase("a tool that nobody knows", "unknown-tool.test.ts › an open world", [
    `1 call of an unknown tool:
  1. delete_account {"id":"u1"} on /mcp`,
  ]),
  redCase(
    "a resource read too often, one that nobody knows, and a prompt that was not used",
    "reads.test.ts › handbook",
    [
      `1 fake failure:
  1. MCP_FAKE_EXHAUSTED: aimock MCP fake exhausted: resource "handbook://holidays" was read again, but the 1 matching fake is already used (testId "reads.test.ts › handbook").`,
      `1 read of an unknown resource:
  1. resource handbook://hollidays on /mcp
     closest fake handbook.json:resources/handbook://holidays#0: the resource "handbook://holidays" is declared, "handbook://hollidays" was read; used up: it answers 1 call`,
      `1 use of an unknown prompt:
  1. prompt greet {} on /mcp`,
      `1 unused fake:
  id                               arguments      file
  handbook.json:prompts/welcome#0  {"who":"Ada"}  handbook.json`,
      `1 warning:
  1. book {"days":"five"} on /mcp: args does not fit the tool's inputSchema: $.days must be number`,
    ],
  ),
  redCase("a fake that was not used", "unused.test.ts › weather", [UNUSED]),
  redCase("a fault that never came about", "fault.test.ts › pays at the second try", [
    `1 fault that never came:
  1. fault.json:faults[0]: http-503 on tools/call pay, callIndex 1 (such requests in this test: 1)`,
  ]),
  redCase("a call that was refused before it reached its fake", "refused.test.ts › weather", [
    UNUSED,
    `1 request was refused before it reached a fake:
  1. get_weather: HTTP 400: Bad Request: the Mcp-Session-Id header is missing; send initialize first and repeat the id that it answers`,
  ]),
  redCase(
    "requests that are none, and one to a path that nothing serves",
    "invalid.test.ts › an agent that sends what is no request",
    [
      `1 invalid request:
  1. a tool without a name {} on /mcp: Missing tool name`,
      `2 unanswered requests to models:
  1. unknown model: 'messages' must be an array
  2. unknown model: messages: must be an array`,
      `1 request was refused before it reached a fake:
  1. HTTP 404: Not found: POST /nope (mounted: /mcp)`,
    ],
  ),
  redCase(
    "a test that failed on its own keeps its error, and the verdict comes under it",
    "own-error.test.ts › weather",
    [mismatch("own-error.test.ts › weather"), UNUSED],
  ),
];

/** What noted.test.ts is told under its own error. */
export const NOTED = `The test failed on its own. This may be why.

Test: noted.test.ts › fails on its own

1 request was refused before it reached a fake:
  1. book: HTTP 400: Bad Request: the Mcp-Session-Id header is missing; send initialize first and repeat the id that it answers

1 warning:
  1. book {"days":"five"} on /mcp: args does not fit the tool's inputSchema: $.days must be number`;

/** What pending.test.ts asked of the server. */
export const PENDING_TRACE = `All that this test asked of the server:
  1. initialize, tools/list on /mcp
  2. search {"q":"x"} on /mcp -> no answer yet when the test ended`;

/** What added.test.ts is told; `#n` stands in place of the numbers that adds get from run to run. */
export const ADDED = `The agent did not do what the fakes of this test say.

Test: added.test.ts › fakes of its own

1 fake failure:
  1. MCP_FAKE_EXHAUSTED: aimock MCP fake exhausted: tool "get_weather" with {"city":"Seattle"} was called again, but the 1 matching fake is already used (testId "added.test.ts › fakes of its own").
     control-api#n:get_weather#0 was added at added.test.ts:11:13

1 unused fake:
  id                            arguments           file
  control-api#n:get_forecast#0  {"city":"Seattle"}  added.test.ts:12:13`;

/** The table of a matcher that does not hold in added.test.ts. */
export const ADDED_TO_MATCHER = `1 unused fake:
  id                           arguments           file
  control-api#n:get_weather#0  {"city":"Seattle"}  added.test.ts:20:13`;

export const withoutNumbers = (text: string) => text.replace(/control-api#\d/g, "control-api#n");

/** What is said of the call of late.test.ts when the run ends. */
export const LATE = `
mcp-fakes: 1 tool call arrived after the test had ended, which makes the run fail (exit code 1) whatever its tests say. Await all that the agent does before the test returns.
  1. search at http://127.0.0.1:<port>/mcp (test late.test.ts › forgets to wait, client agent)
`;

/** What is said of the call that attempts.test.ts of the handle project leaves running. */
export const LATE_ATTEMPT = `mcp-fakes: 1 tool call arrived after the test had ended. Await all that the agent does before the test returns.
  1. search at http://127.0.0.1:<port>/mcp (test attempts.test.ts › what a failed attempt left running does not use up the next one's fakes (attempt 1), client agent)`;

/** How the trace of invalid.test.ts tells of the path that nothing serves. */
export const UNSERVED_STEP = "a request to /nope -> refused with HTTP 404: Not found: POST /nope (mounted: /mcp)";
