import { join } from "node:path";
import { expect, test } from "vitest";
import { CallLog } from "../../src/index.ts";
import { openLog } from "../../src/journal/jsonl.ts";
import { callLine, verdictLine } from "../_support/log.ts";
import { tempFile, tempFolder } from "../_support/temp.ts";

test("the seed's assertions chain over a log that is as they say", () => {
  const log = loadLog(
    callLine("search_issues", { query: "good first issue", page: 1 }),
    callLine("create_pull_request", { base: "main" }),
    verdictLine({ met: true, missed: [] }, true),
  );

  log
    .assertToolCalled("search_issues")
    .assertToolCalledWith("search_issues", `{"query":"good first issue"}`)
    .assertCallCount("create_pull_request", 1)
    .assertToolNotCalled("delete_repo")
    .assertCallOrder("search_issues", "create_pull_request")
    .assertNoErrors()
    .assertExpectationsMet();
});

test("a failed assertion shows the calls", () => {
  const log = loadLog(callLine("search", { query: "cve" }), callLine("delete", { id: 1 }));

  expect(() => log.assertToolNotCalled("delete")).toThrow(
    'Expected that delete was not called (seen: 1 time: {"id":1})\n' +
      'Calls in the log:\n  1. search {"query":"cve"} -> answered\n  2. delete {"id":1} -> answered',
  );
});

test("one test's view holds its own lines alone", () => {
  const log = loadLog(callLine("search", {}, { testId: "a" }), callLine("delete", {}, { testId: "b" }));

  log.ofTest("a").assertToolNotCalled("delete");
  expect(() => log.ofTest("b").assertToolNotCalled("delete")).toThrow("delete was not called");
});

test("a file that is no log is refused with each line's problem", () => {
  const path = tempFile("calls.jsonl", '{"v":2,"kind":"tool_call"}\n{"kind":"walk"}\n');

  expect(() => CallLog.load(path)).toThrow(
    /^.*calls\.jsonl is not a call log: line 1: \$\.v: must be 1, got 2; line 1: \$\.seq: is missing; it must be a number; .*line 2: \$\.kind: must be "tool_call", .* or "cli", got "walk"$/,
  );
});

function loadLog(...lines: Parameters<ReturnType<typeof openLog>["write"]>[0][]): CallLog {
  const path = join(tempFolder(), "calls.jsonl");
  const log = openLog(path);
  for (const line of lines) log.write(line);
  log.close();
  return CallLog.load(path);
}
