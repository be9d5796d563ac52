import { MCPMock } from "mcp-fakes";
import { call } from "./agent.ts";
import { failure } from "./failure.ts";
import { describe, expect, mcp, test } from "./runner.ts";

test("a report", async () => {
  await call(mcp.url, "search", { query: "cats" });
  await call(mcp.url, "translate");
  const report = mcp.report();
  expect(report).toHaveConsumedAllFakes();
  expect(report).toHaveCalledTool("search", { query: "cats" });
  expect(report).toHaveCalledToolTimes("translate", 1);
  expect(report).not.toHaveNoFakeFailures();
  expect(failure(() => expect(report).toHaveNoFakeFailures())).toBe(`expect(report).toHaveNoFakeFailures()

Test: subjects.test.ts › a report

1 call of an unknown tool:
  1. translate {} on /mcp`);
  expect(() => expect(report).toHaveCalledTools(["search"])).toThrow(
    "expect(report).toHaveCalledTools(): a report holds no messages and no order of calls. Give mcp, an MCPMock or an LLMock.",
  );
});

test("a mock of the test's own", async () => {
  const mock = new MCPMock();
  mock.loadFakes({ scope: { testId: "mine" }, tools: [{ name: "ping", calls: [{ anyArgs: true, result: "pong" }] }] });
  const url = await mock.start();
  expect(mock).not.toHaveConsumedAllFakes({ testId: "mine" });
  await call(`${url}?testId=mine`, "ping", { n: 1 });
  expect(mock).toHaveConsumedAllFakes({ testId: "mine" });
  expect(mock).toHaveCalledTool("ping", { n: 1 });
  expect(mock).toHaveCalledTool("ping", { n: 1 }, { testId: "mine" });
  expect(mock).not.toHaveCalledTool("ping", { n: 1 }, { testId: "yours" });
  expect(mock).toHaveCalledTools([["ping", { n: 1 }]], { exactly: true, testId: "mine" });
  expect(mcp).not.toHaveCalledTool("ping");
  await mock.stop();
});

describe("a wrong subject is an error, with .not too", () => {
  test.each([
    ["mcp.url", 'the string "http://127.0.0.1/mcp"', "http://127.0.0.1/mcp"],
    ["mcp.calls", "an array of 2", [1, 2]],
    ["a promise", "a promise (await it first)", Promise.resolve()],
    ["nothing", "undefined", undefined],
    ["null", "null", null],
    ["some object", "an object with the keys tool, args", { tool: "search", args: {} }],
  ])("%s", (_, described, subject) => {
    const text = (matcher: string) =>
      `expect(subject).${matcher}(): the subject must be mcp, an MCPMock, an LLMock or a report from mcp.report(), got ${described}.`;
    expect(() => expect(subject).toHaveConsumedAllFakes()).toThrow(new TypeError(text("toHaveConsumedAllFakes")));
    expect(() => expect(subject).not.toHaveNoFakeFailures()).toThrow(new TypeError(text("toHaveNoFakeFailures")));
    expect(() => expect(subject).not.toHaveCalledTool("a")).toThrow(new TypeError(text("toHaveCalledTool")));
    expect(() => expect(subject).not.toHaveCalledToolTimes("a", 1)).toThrow(
      new TypeError(text("toHaveCalledToolTimes")),
    );
    expect(() => expect(subject).not.toHaveCalledTools(["a"])).toThrow(new TypeError(text("toHaveCalledTools")));
    expect(() => expect(subject).not.toHaveReadResource("a")).toThrow(new TypeError(text("toHaveReadResource")));
    expect(() => expect(subject).not.toHaveUsedPrompt("a")).toThrow(new TypeError(text("toHaveUsedPrompt")));
    expect(() => expect(subject).not.toHaveListedTools()).toThrow(new TypeError(text("toHaveListedTools")));
  });
});

test("a wrong argument is an error, with .not too", () => {
  const untyped = (value: unknown) => value as never;
  expect(() => expect(mcp).not.toHaveCalledTool(untyped(undefined))).toThrow(
    "toHaveCalledTool() takes the tool's name as its first argument, a non-empty string, got undefined.",
  );
  expect(() => expect(mcp).not.toHaveCalledToolTimes("search", untyped("2"))).toThrow(
    'toHaveCalledToolTimes() takes the number of calls as its second argument, a whole number of 0 or more, got "2".',
  );
  expect(() => expect(mcp).not.toHaveCalledTools(untyped("search"))).toThrow(
    'toHaveCalledTools() takes an array of names or [name, args], got "search".',
  );
  expect(() => expect(mcp).not.toHaveCalledTools([untyped(7)])).toThrow(
    "toHaveCalledTools() takes in place 1 of its list a tool's name or [name, args], got 7.",
  );
  expect(() => expect(mcp).not.toHaveReadResource("")).toThrow(
    `toHaveReadResource() takes the resource's URI as its first argument, a non-empty string, got "".`,
  );
  expect(() => expect(mcp).not.toHaveCalledTools([untyped({ name: "search" })])).toThrow(
    "toHaveCalledTools() takes in place 1 of its list a tool's name or [name, args], got { name: 'search' }.",
  );
  expect(() => expect(mcp).toHaveCalledTools([], untyped({ exact: true }))).toThrow(
    'toHaveCalledTools() has no option "exact". Its options are exactly, testId, context.',
  );
  expect(() => expect(mcp).not.toHaveCalledTools(["a"], untyped("exactly"))).toThrow(
    'toHaveCalledTools() takes its options as an object with exactly, testId, context, got "exactly".',
  );
  expect(() => expect(new MCPMock()).not.toHaveCalledTool("a", undefined, untyped({ testid: "T" }))).toThrow(
    'toHaveCalledTool() has no option "testid". Its options are testId, context.',
  );
  expect(() => expect(mcp).not.toHaveReadResource("a", untyped("T"))).toThrow(
    'toHaveReadResource() takes its options as an object with testId, context, got "T".',
  );
});

test("whose calls are meant is not asked of what is one test's own", () => {
  expect(() => expect(mcp).not.toHaveCalledTool("a", undefined, { testId: "other" })).toThrow(
    'expect(mcp).toHaveCalledTool(): mcp holds the calls of the running test alone, got testId "other". Leave it out, or give an MCPMock or an LLMock.',
  );
  expect(() => expect(mcp).not.toHaveCalledTools(["a"], { context: "c" })).toThrow(
    'expect(mcp).toHaveCalledTools(): mcp holds the calls of the running test alone, got context "c".',
  );
  expect(() => expect(mcp.report()).toHaveConsumedAllFakes({ testId: "other" })).toThrow(
    `expect(report).toHaveConsumedAllFakes(): a report is one test's own, got testId "other".`,
  );
  expect(mcp).not.toHaveCalledTool("a", undefined, {});
});
