import { beforeAll, expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";
import { createProject } from "../../_support/consumer-project.ts";
import { failureTexts } from "../../_support/failures.ts";
import { ADDED, ADDED_TO_MATCHER, diffOf, LATE, NOTED, RED_CASES, withoutNumbers } from "../../_support/red.ts";

/** Each failure of the red project, whole, as Vitest shows it. */
let failures: readonly string[] = [];

beforeAll(async () => {
  const project = createProject("red");
  const { output, exitCode } = await project.vitest();
  project.remove();
  expect(exitCode).toBe(1);
  failures = output.split(/(?=⎯+ Failed Tests)/).flatMap(failureTexts);
}, 60_000);

const failuresOf = (file: string) => failures.filter((text) => text.startsWith(`FAIL  ${file} `));

test.for(RED_CASES)("$why", ({ file, test: name, text, hasDiff }) => {
  const diff = hasDiff ? `\n\n${diffOf("")}` : "";
  expect(failuresOf(file).at(-1)).toBe(`FAIL  ${file} > ${name}\nError: ${text}${diff}`);
});

test("fakes that a test added itself are found where it did", () => {
  const [verdict = "", ofMatcher = ""] = failuresOf("added.test.ts").map(withoutNumbers);
  expect(verdict).toContain(`FAIL  added.test.ts > fakes of its own
Error: ${ADDED}
 ❯ added.test.ts:12:13
     10| test("fakes of its own", async () => {
     11|   await mcp.fake("get_weather", { args: { ...SEATTLE }, result: "rain"…
     12|   await mcp.loadFakes({
       |             ^`);
  expect(ofMatcher).toContain(`Test: added.test.ts › a matcher\n\n${ADDED_TO_MATCHER}\n ❯ added.test.ts:21:15\n`);
});

test("what was refused and warned of stands under a test's own error", () => {
  const own = (name: string) =>
    expect.stringMatching(`^FAIL  noted.test.ts > ${name}\nAssertionError: expected 'rain' to`);
  expect(failuresOf("noted.test.ts")).toEqual([
    own("fails on its own"),
    `FAIL  noted.test.ts > fails on its own\nError: ${NOTED}`,
    own("wants no verdict"),
  ]);
});

test("the own error of a test comes first", () => {
  const [own] = failuresOf("own-error.test.ts");
  expect(own).toBe(`FAIL  own-error.test.ts > weather
AssertionError: expected 'rain' to be 'sun' // Object.is equality

Expected: "sun"
Received: "rain"

 ❯ own-error.test.ts:7:18
      5|
      6| test("weather", () => {
      7|   expect("rain").toBe("sun");
       |                  ^
      8| });
      9|`);
});

test("a call after its test's end", { timeout: 60_000 }, async () => {
  const { exitCode, output } = await createConsumer("red").vitest(["late"]);
  expect(output).toContain(" Test Files  1 passed (1)\n      Tests  2 passed (2)\n");
  expect(output).toContain(LATE);
  expect(exitCode).toBe(1);
});

test("a test that its time limit cuts short keeps this one error", () => {
  const [only, ...others] = failuresOf("slow.test.ts");
  expect(only).toMatch(
    /^FAIL {2}slow\.test\.ts > is cut short before it uses its fake\nError: Test timed out in <time>\./,
  );
  expect(others).toEqual([]);
});

test("a matcher that does not hold", () => {
  expect(failuresOf("matcher.test.ts")).toEqual([
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
});

test("a wrong subject, even where the opposite is asserted", () => {
  expect(failuresOf("wrong-subject.test.ts")).toEqual([
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
});

test("the handle, used outside of a test", () => {
  expect(failuresOf("outside.test.ts")).toEqual([
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
});
