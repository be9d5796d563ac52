import { expect, test } from "vitest";
import { type Traced, traceOf } from "../../../plugins/shared/trace.ts";

test("an answer that went wrong on purpose is no plain answer", () => {
  const asked: Traced["asked"][number] = {
    tool: "create_ticket",
    args: {},
    mount: "/mcp",
    outcome: "answered",
    entryId: "create_ticket#0",
    result: { content: [] },
    error: null,
    fault: "http-503",
    startedAt: 0,
  };
  expect(traceOf({ asked: [asked], turns: [], pending: [], messages: [] })).toBe(
    'All that this test asked of the server:\n  1. create_ticket {} on /mcp -> answered with the fault http-503: {"content":[]} (create_ticket#0)',
  );
});
