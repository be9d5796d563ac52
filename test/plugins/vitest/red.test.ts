import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";
import { failuresOf } from "../../_support/failures.ts";

const TIMEOUT = { timeout: 60_000 };

const failures = (file: string) => failuresOf("red", file);

const MISMATCH = `1 fake failure:
  1. MCP_FAKE_MISMATCH: aimock MCP fake mismatch: tool "get_weather" was called with arguments that match no declared fake (testId "%"). Received {"city":"seattle"}. Declared: weather.json:get_weather#0 {"city":"Seattle"}.
     $.city: expected "Seattle", received "seattle"`;

const DIFF = `- Expected
+ Received

  {
-   "city": "Seattle",
+   "city": "seattle",
  }`;

test("a mismatch that the agent swallowed", TIMEOUT, async () => {
  const { exitCode, texts } = await failures("mismatch");
  expect(texts).toEqual([
    `FAIL  mismatch.test.ts > weather
Error: The agent did not do what the fakes of this test say.

Test: mismatch.test.ts › weather

${MISMATCH.replace("%", "mismatch.test.ts › weather")}

${DIFF}`,
  ]);
  expect(exitCode).toBe(1);
});

test("an exhausted fake, in a concurrent test", TIMEOUT, async () => {
  const { exitCode, texts } = await failures("exhausted");
  expect(texts).toEqual([
    `FAIL  exhausted.test.ts > weather
Error: The agent did not do what the fakes of this test say.

Test: exhausted.test.ts › weather

1 fake failure:
  1. MCP_FAKE_EXHAUSTED: aimock MCP fake exhausted: tool "get_weather" with {"city":"Seattle"} was called again, but the 1 matching fake is already used (testId "exhausted.test.ts › weather").`,
  ]);
  expect(exitCode).toBe(1);
});

test("a tool that the scenario does not declare", TIMEOUT, async () => {
  const { exitCode, texts } = await failures("not-declared");
  expect(texts).toEqual([
    `FAIL  not-declared.test.ts > weather
Error: The agent did not do what the fakes of this test say.

Test: not-declared.test.ts › weather

1 fake failure:
  1. MCP_FAKE_NOT_DECLARED: Unknown tool: delete_account (aimock MCP fake not declared: this scenario denies undeclared tools; testId "not-declared.test.ts › weather").`,
  ]);
  expect(exitCode).toBe(1);
});

test("a tool that nobody knows", TIMEOUT, async () => {
  const { exitCode, texts } = await failures("unknown-tool");
  expect(texts).toEqual([
    `FAIL  unknown-tool.test.ts > an open world
Error: The agent did not do what the fakes of this test say.

Test: unknown-tool.test.ts › an open world

1 call of an unknown tool:
  1. delete_account {"id":"u1"} on /mcp`,
  ]);
  expect(exitCode).toBe(1);
});

test("a fake that was not used", TIMEOUT, async () => {
  const { exitCode, texts } = await failures("unused");
  expect(texts).toEqual([
    `FAIL  unused.test.ts > weather
Error: The agent did not do what the fakes of this test say.

Test: unused.test.ts › weather

1 unused fake:
  id                          arguments           file
  weather.json:get_weather#0  {"city":"Seattle"}  weather.json`,
  ]);
  expect(exitCode).toBe(1);
});

test("a call after its test's end", TIMEOUT, async () => {
  const { exitCode, output } = await createConsumer("red").vitest(["late"]);
  expect(output).toContain(" Test Files  1 passed (1)\n      Tests  2 passed (2)\n");
  expect(output).toContain(`
mcp-fakes: 1 tool call arrived after the test had ended. Await all that the agent does before the test returns.
  1. search at http://127.0.0.1:<port>/mcp (test late.test.ts › forgets to wait, client agent)
`);
  expect(exitCode).toBe(1);
});

test("a test that failed on its own keeps its error, and the verdict comes under it", TIMEOUT, async () => {
  const { exitCode, texts } = await failures("own-error");
  expect(texts).toEqual([
    `FAIL  own-error.test.ts > weather
AssertionError: expected 'rain' to be 'sun' // Object.is equality

Expected: "sun"
Received: "rain"

 ❯ own-error.test.ts:7:18
      5|
      6| test("weather", () => {
      7|   expect("rain").toBe("sun");
       |                  ^
      8| });
      9|`,
    `FAIL  own-error.test.ts > weather
Error: The agent did not do what the fakes of this test say.

Test: own-error.test.ts › weather

${MISMATCH.replace("%", "own-error.test.ts › weather")}

1 unused fake:
  id                          arguments           file
  weather.json:get_weather#0  {"city":"Seattle"}  weather.json

${DIFF}`,
  ]);
  expect(exitCode).toBe(1);
});

test("a matcher that does not hold", TIMEOUT, async () => {
  const { exitCode, texts } = await failures("matcher");
  expect(texts).toEqual([
    `FAIL  matcher.test.ts > weather
Error: expect(mcp).toHaveCalledTool("get_weather", {"city":"Portland"})

Test: matcher.test.ts › weather

It was called 1 time, never with these arguments. The closest call:

- Expected
+ Received

  {
-   "city": "Portland",
+   "city": "Seattle",
  }

Tool calls:
  1. get_weather {"city":"Seattle"} on /mcp
 ❯ matcher.test.ts:6:15
      4| test("weather", async () => {
      5|   await call(mcp.url, "get_weather", { city: "Seattle" });
      6|   expect(mcp).toHaveCalledTool("get_weather", { city: "Portland" });
       |               ^
      7| });
      8|`,
  ]);
  expect(exitCode).toBe(1);
});

test("a wrong subject, even where the opposite is asserted", TIMEOUT, async () => {
  const { exitCode, texts } = await failures("wrong-subject");
  expect(texts).toEqual([
    `FAIL  wrong-subject.test.ts > weather
TypeError: expect(subject).toHaveCalledTool(): the subject must be mcp, an MCPMock, an LLMock or a report from mcp.report(), got the string "http://127.0.0.1:<port>/mcp".
 ❯ wrong-subject.test.ts:6:23
      4| test("weather", async () => {
      5|   await call(mcp.url, "get_weather", { city: "Seattle" });
      6|   expect(mcp.url).not.toHaveCalledTool("delete_account");
       |                       ^
      7| });
      8|`,
  ]);
  expect(exitCode).toBe(1);
});

test("the handle, used outside of a test", TIMEOUT, async () => {
  const { exitCode, texts } = await failures("outside");
  expect(texts).toEqual([
    `FAIL  outside.test.ts [ outside.test.ts ]
TypeError: mcp.testId belongs to a running test and was used outside of one. No test is running here. Use it inside test(), beforeEach() or afterEach(). mcp.url, mcp.urlOf() and mcp.llm work everywhere.
 ❯ outside.test.ts:3:53
      1| import { describe, mcp, test } from "./runner.ts";
      2|
      3| describe(\`a suite that is named after a test: \${mcp.testId}\`, () => {
       |                                                     ^
      4|   test("never runs", () => {});
      5| });`,
  ]);
  expect(exitCode).toBe(1);
});
