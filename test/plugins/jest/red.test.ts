import { beforeAll, expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";
import { createProject } from "../../_support/consumer-project.ts";
import {
  ADDED,
  ADDED_TO_MATCHER,
  diffOf,
  LATE,
  NOTED,
  PENDING_TRACE,
  RED_CASES,
  UNSERVED_STEP,
  withoutNumbers,
} from "../../_support/red.ts";
import type { RunnerResult } from "../../_support/runner-process.ts";

let run: RunnerResult;

beforeAll(async () => {
  const project = createProject("red");
  run = await project.jest();
  project.remove();
}, 60_000);

/** What Jest shows of a file that failed. */
function shownOf(file: string): string {
  const parts = run.output.split(/^(?=(?:FAIL|PASS) \.\/|Test Suites:)/m);
  return parts.find((part) => part.startsWith(`FAIL ./${file}\n`)) ?? "";
}

/** The same, without what its one test asked of the server. */
function ownErrorsOf(file: string): string {
  const [own = "", trace] = shownOf(file).split(
    "  ● weather\n\n    All that this test asked of the server:\n      1. initialize on /mcp\n",
  );
  expect(trace).toContain('      2. get_weather {"city":"Seattle"} on /mcp -> answered: ');
  return own;
}

const indented = (text: string) => text.replace(/^(?=.)/gm, "    ");

test.for(RED_CASES)("$why", ({ file, test: name, text, hasDiff }) => {
  const diff = `\n\nThe first mismatch, beside the closest fake:\n\n${diffOf("Object ")}`;
  const error = indented(text + (hasDiff ? diff : ""));
  expect(shownOf(file)).toContain(`  ● ${name}\n\n${error}\n\n`);
  expect(shownOf(file)).toMatch(new RegExp(`\\n      at Object\\.\\S+ \\(${file}:\\d+:\\d+\\)\\n\\n$`));
});

test("fakes that a test added itself are found where it did", () => {
  const shown = withoutNumbers(shownOf("added.test.ts"));
  expect(shown).toContain(
    `  ● fakes of its own\n\n${indented(ADDED)}\n\n    All that this test asked of the server:\n`,
  );
  expect(shown).toContain(`
      10 | test("fakes of its own", async () => {
      11 |   await mcp.fake("get_weather", { args: { ...SEATTLE }, result: "rain" });
    > 12 |   await mcp.loadFakes({
         |             ^
`);
  expect(shown).toContain("\n      at Object.loadFakes (added.test.ts:12:13)\n");
  expect(shown).toContain(`Test: added.test.ts › a matcher\n\n${indented(ADDED_TO_MATCHER)}\n\n      19 |`);
});

test("what was refused and warned of stands under a test's own error", () => {
  const shown = shownOf("noted.test.ts");
  expect(shown.match(/● .*/g)).toEqual([
    "● fails on its own",
    "● fails on its own",
    "● wants no verdict",
    "● wants no verdict",
  ]);
  expect(shown.split(/● .*/)[2]).toContain(`\n${indented(NOTED)}\n\n`);
});

test("what a test asked of the server stands under its own error, with the call that has no answer yet", () => {
  expect(shownOf("pending.test.ts")).toMatch(/^ {2}● gives up\n\n {4}gives up\n/m);
  expect(shownOf("pending.test.ts")).toContain(`  ● gives up\n\n${indented(PENDING_TRACE)}\n\n`);
});

test("a request to a path that nothing serves stands in the trace", () => {
  expect(shownOf("invalid.test.ts")).toContain(UNSERVED_STEP);
});

test("the own error of a test comes first", () => {
  expect(shownOf("own-error.test.ts")).toContain(`  ● weather

    expect(received).toBe(expected) // Object.is equality

    Expected: "sun"
    Received: "rain"

      5 |
      6 | test("weather", () => {
    > 7 |   expect("rain").toBe("sun");
        |                  ^
      8 | });
      9 |

      at Object.toBe (own-error.test.ts:7:18)

  ● weather
`);
});

test("a call after its test's end", { timeout: 60_000 }, async () => {
  const { exitCode, output } = await createConsumer("red").jest(["late"]);
  expect(output).toContain("\nTest Suites: 1 passed, 1 total\nTests:       2 passed, 2 total\n");
  expect(output).toContain(LATE);
  expect(exitCode).toBe(1);
});

test("a test that its time limit cuts short keeps this one error", () => {
  expect(shownOf("slow.test.ts")).toContain('thrown: "Exceeded timeout of 50 ms for a test.');
  expect(shownOf("slow.test.ts").match(/●/g)).toHaveLength(1);
});

test("a matcher that does not hold", () => {
  expect(ownErrorsOf("matcher.test.ts")).toBe(`FAIL ./matcher.test.ts
  ● weather

    expect(mcp).toHaveCalledTool("get_weather", {"city":"Portland"})

    Test: matcher.test.ts › weather

    It was called 1 time, never with these arguments. The closest call:

    - Expected
    + Received

      Object {
    -   "city": "Portland",
    +   "city": "Seattle",
      }

    Tool calls:
      1. get_weather {"city":"Seattle"} on /mcp

      4 | test("weather", async () => {
      5 |   await call(mcp.url, "get_weather", { city: "Seattle" });
    > 6 |   expect(mcp).toHaveCalledTool("get_weather", { city: "Portland" });
        |               ^
      7 | });
      8 |

      at Object.toHaveCalledTool (matcher.test.ts:6:15)

`);
});

test("a wrong subject, even where the opposite is asserted", () => {
  expect(ownErrorsOf("wrong-subject.test.ts")).toBe(`FAIL ./wrong-subject.test.ts
  ● weather

    TypeError: expect(subject).toHaveCalledTool(): the subject must be mcp, an MCPMock, an LLMock or a report from mcp.report(), got the string "http://127.0.0.1:<port>/mcp".

      4 | test("weather", async () => {
      5 |   await call(mcp.url, "get_weather", { city: "Seattle" });
    > 6 |   expect(mcp.url).not.toHaveCalledTool("delete_account");
        |                       ^
      7 | });
      8 |

      at Object.toHaveCalledTool (wrong-subject.test.ts:6:23)

`);
});

test("the handle, used outside of a test", () => {
  expect(shownOf("outside.test.ts")).toBe(`FAIL ./outside.test.ts
  ● Test suite failed to run

    TypeError: mcp.testId belongs to a running test and was used outside of one. No test is running here. Use it inside test(), beforeEach() or afterEach(). mcp.url, mcp.urlOf() and mcp.llm work everywhere.

      1 | import { describe, mcp, test } from "./runner.ts";
      2 |
    > 3 | describe(\`a suite that is named after a test: \${mcp.testId}\`, () => {
        |                                                     ^
      4 |   test("never runs", () => {});
      5 | });
      6 |

      at Object.testId (outside.test.ts:3:53)

`);
});

test("a fake that nobody waited for is unused all the same", { timeout: 60_000 }, async () => {
  const consumer = createConsumer(null, {
    "package.json": "{}",
    "jest.config.js": 'module.exports = require("mcp-fakes/jest").withMcpFakes();\n',
    "hasty.test.js": `const { mcp } = require("mcp-fakes/jest");

test("does not wait", () => {
  void mcp.fake("search", { args: {}, result: "yes" });
});
`,
  });
  const { exitCode, output } = await consumer.jest();
  expect(output).toContain("1 unused fake:");
  expect(exitCode).toBe(1);
});
