import { expect, test } from "vitest";
import type { CallFact } from "../../src/fakes/fact.ts";
import { type FakesReport, type ReportFacts, reportOf } from "../../src/fakes/report.ts";
import { formatFakesReport } from "../../src/fakes/report-text.ts";
import type { UnconsumedEntry } from "../../src/fakes/views.ts";

const IDENTITY = { testId: "T", context: null };

test("a test that did what its scenario says is ok", () => {
  const report = reportOf(facts({ facts: [made({ outcome: "answered", entryId: "a.json:t#0" })] }));
  expect(report).toEqual({
    ...IDENTITY,
    ok: true,
    evicted: false,
    served: [{ entryId: "a.json:t#0", mount: "/mcp", tool: "t", args: { a: 1 } }],
    unconsumed: [],
    unusedFaults: [],
    unfaked: [],
    failures: [],
    refused: [],
    warnings: [],
    sharedUnconsumed: [],
    modelFailures: [],
    unasked: [],
  });
  expect(formatFakesReport(report)).toBe('aimock MCP fakes report passed (testId "T")');
});

test.each([
  ["mismatch", "MCP_FAKE_MISMATCH"],
  ["exhausted", "MCP_FAKE_EXHAUSTED"],
  ["not_declared", "MCP_FAKE_NOT_DECLARED"],
  ["evicted", "MCP_FAKE_EVICTED"],
  ["internal_error", "MCP_FAKE_INTERNAL_ERROR"],
  ["test_ended", "MCP_TEST_ENDED"],
] as const)("a call that ended as %s fails the report with %s", (outcome, code) => {
  const report = reportOf(facts({ facts: [made({ outcome })] }));
  expect([report.ok, report.failures]).toEqual([false, [{ code, mount: "/mcp", tool: "t", args: { a: 1 } }]]);
  expect(formatFakesReport(report)).toBe(
    `aimock MCP fakes report failed (testId "T"):\n  failure ${code}: tools/call t on /mcp with {"a":1}`,
  );
});

test("a call whose arguments break its tool's schema is a warning, and fails nothing", () => {
  const warnings = ["args does not fit the tool's inputSchema: $.a must be string"];
  const report = reportOf(facts({ facts: [made({ outcome: "answered", entryId: "a", warnings })] }));
  expect(report.ok).toBe(true);
  expect(report.warnings).toEqual([{ mount: "/mcp", tool: "t", args: { a: 1 }, message: warnings[0] }]);
  expect(formatFakesReport({ ...report, evicted: true, ok: false })).toContain(
    `\n  warning: tools/call t on /mcp with {"a":1}: args does not fit the tool's inputSchema: $.a must be string\n`,
  );
});

test("unused entries of the test fail it, optional, shared and context ones do not", () => {
  const report = reportOf(
    facts({
      unconsumed: [
        unused("a", { tier: "testId", args: { x: 1 } }),
        unused("b", { tier: "testId+context", anyArgs: true }),
        unused("c", { tier: "testId", anyArgs: true, optional: true }),
        unused("d", { tier: "context", anyArgs: true }),
        unused("e", { tier: "shared", anyArgs: true }),
      ],
    }),
  );
  expect(report).toMatchObject({
    ok: false,
    unconsumed: [
      { entryId: "a", mount: "/mcp", tool: "t", file: "a.json", args: { x: 1 } },
      { entryId: "b", mount: "/mcp", tool: "t", file: "a.json", anyArgs: true },
    ],
    sharedUnconsumed: [
      { entryId: "d", mount: "/mcp", tool: "t" },
      { entryId: "e", mount: "/mcp", tool: "t" },
    ],
  });
  expect(formatFakesReport(report)).toBe(
    'aimock MCP fakes report failed (testId "T"):\n  unconsumed: a (/mcp t)\n  unconsumed: b (/mcp t)',
  );
});

test("faults of the test that never came fail it, those of shared and context scopes do not", () => {
  const fault = (faultId: string, more: object) => ({
    ...{ faultId, mount: "/mcp", file: "a.json", method: "tools/call", requests: 1, tier: "testId" as const },
    ...more,
  });
  const unusedFaults = [
    fault("a", { tool: "pay", callIndex: 9, fault: "http-503" }),
    fault("b", { method: "ping", requests: 0, tier: "testId+context" }),
    fault("c", { tier: "context", fault: "reset" }),
    fault("d", { tier: "shared", fault: "reset" }),
  ];
  const report = reportOf(facts({ unusedFaults }));
  expect([report.ok, report.unusedFaults.map(({ faultId }) => faultId)]).toEqual([false, ["a", "b"]]);
  expect(report.unusedFaults[1]).toEqual({ faultId: "b", mount: "/mcp", file: "a.json", method: "ping", requests: 0 });
  expect(formatFakesReport(report)).toBe(
    [
      'aimock MCP fakes report failed (testId "T"):',
      "  fault that never came: a (/mcp http-503 on tools/call pay, callIndex 9; such requests: 1)",
      "  fault that never came: b (/mcp a delay on ping; such requests: 0)",
    ].join("\n"),
  );
});

test("an evicted test id fails the report", () => {
  const report = reportOf(facts({ evicted: true }));
  expect(report.ok).toBe(false);
  expect(formatFakesReport(report)).toBe(
    'aimock MCP fakes report failed (testId "T"):\n  evicted: this test id\'s fake state was evicted by the per-mount test-id cap, or its event log overflowed; the report is incomplete',
  );
});

test("calls that no fake answered are told apart, and fail only when asked to", () => {
  const report = reportOf(
    facts({ facts: (["handler", "empty", "unknown_tool", "invalid"] as const).map((outcome) => made({ outcome })) }),
  );
  expect(report.ok).toBe(true);
  expect(report.unfaked.map(({ answeredBy }) => answeredBy)).toEqual(["handler", "empty", "unknown-tool", "invalid"]);
  expect(formatFakesReport(report)).toBe('aimock MCP fakes report passed (testId "T")');
  expect(formatFakesReport(report, { failOnUnfaked: true }).split("\n").slice(0, 2)).toEqual([
    'aimock MCP fakes report failed (testId "T"):',
    "  unfaked: tools/call t on /mcp answered by handler",
  ]);
});

test("calls count only for exactly their test id and context", () => {
  const requests = [
    made({ tool: "own" }),
    made({ tool: "other context" }, { testId: "T", context: "C" }),
    made({ tool: "other test" }, { testId: "U", context: null }),
    made({ tool: "untagged" }, { testId: null, context: null }),
  ];
  const tools = (identity: ReportFacts["identity"]) =>
    reportOf(facts({ identity, facts: requests })).unfaked.map(({ tool }) => tool);
  expect([tools(IDENTITY), tools({ testId: "T", context: "C" }), tools({ testId: null, context: null })]).toEqual([
    ["own"],
    ["other context"],
    ["untagged"],
  ]);
});

test("a request that no scripted turn answered, and a turn that was never asked for, fail the report", () => {
  const modelFailures = [{ outcome: "no_match" as const, model: "gpt-4o", message: "No fixture matched." }];
  const unasked = [{ fixtureId: "a.json:fixtures[0]", match: { userMessage: "hi" } }];
  const report = reportOf(facts({ modelFailures, unasked }));
  expect([report.ok, report.modelFailures, report.unasked]).toEqual([false, modelFailures, unasked]);
  expect(formatFakesReport(report)).toBe(
    [
      'aimock MCP fakes report failed (testId "T"):',
      "  model no_match: gpt-4o: No fixture matched.",
      '  never asked: a.json:fixtures[0] {"userMessage":"hi"}',
    ].join("\n"),
  );
});

test("the text names who was asked for", () => {
  const report: FakesReport = reportOf(facts({ identity: { testId: null, context: "C" } }));
  expect(formatFakesReport(report)).toBe('aimock MCP fakes report passed (context "C")');
});

function facts(given: Partial<ReportFacts>): ReportFacts {
  return {
    identity: IDENTITY,
    facts: [],
    refused: [],
    unconsumed: [],
    unusedFaults: [],
    strayCommands: [],
    modelFailures: [],
    unasked: [],
    evicted: false,
    ...given,
  };
}

function made(given: Partial<CallFact>, by: ReportFacts["identity"] = IDENTITY): ReportFacts["facts"][number] {
  const fact: CallFact = {
    tool: "t",
    args: { a: 1 },
    mount: "/mcp",
    outcome: "handler",
    entryId: null,
    result: null,
    error: null,
    ...given,
  };
  return { ...by, fact };
}

function unused(entryId: string, given: Partial<UnconsumedEntry>): UnconsumedEntry {
  return { entryId, mount: "/mcp", tool: "t", optional: false, source: "a.json", ...given } as UnconsumedEntry;
}
