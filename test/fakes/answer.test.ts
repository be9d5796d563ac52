import { expect, test } from "vitest";
import {
  type CallPlace,
  type FakeError,
  failureOf,
  internalError,
  logLine,
  testEnded,
} from "../../src/fakes/answer.ts";
import type { FakeStore } from "../../src/fakes/store.ts";
import { toolTarget } from "../../src/fakes/target.ts";
import { blockSources } from "../../src/fixtures/block-sources.ts";
import type { Identity } from "../../src/identity.ts";
import type { Json } from "../../src/json.ts";
import { asking, emptyStore, sharedTool, storeOf, storeOfFile } from "../_support/fakes.ts";

test("a mismatch", () => {
  const store = storeOfFile("weather/seattle.json");
  const error = failed(store, "get_weather", { city: "seattle" }, { testId: "weather › seattle" });
  expect(JSON.stringify(error)).toBe(
    JSON.stringify({
      code: -32602,
      message:
        'aimock MCP fake mismatch: tool "get_weather" was called with arguments that match no declared fake (testId "weather › seattle"). Received {"city":"seattle"}. Declared: weather/seattle.json:get_weather#0 {"city":"Seattle"}.',
      data: {
        aimock: {
          code: "MCP_FAKE_MISMATCH",
          tool: "get_weather",
          testId: "weather › seattle",
          context: null,
          mount: "/mcp",
          received: { city: "seattle" },
          declared: [{ id: "weather/seattle.json:get_weather#0", args: { city: "Seattle" }, consumed: false }],
          firstDifference: '$.city: expected "Seattle", received "seattle"',
        },
      },
    }),
  );
  expect(lineOf(error)).toBe(
    `MCP-FAKE: mismatch for tools/call get_weather (testId "weather › seattle", mount /mcp): ${error.message}`,
  );
});

test("of very many declared entries, the text names twenty and the data all", () => {
  const calls = Array.from({ length: 60 }, (_, page) => ({ args: { page }, result: "yes" }));
  const store = storeOf({ scope: "shared", tools: [{ name: "search", calls }] });
  const { message, data } = failed(store, "search", { page: 60 }, {});
  expect(message).toMatch(
    / Declared: code#1:search#0 \{"page":0\}; .*; code#1:search#19 \{"page":19\}; and 40 more\.$/,
  );
  expect(data.aimock.declared).toHaveLength(60);
});

test("an exhausted tool", () => {
  const store = storeOfFile("tickets/retry.json");
  const asked = { testId: "tickets › retry on timeout" };
  for (const _try of [1, 2]) store.claim(toolTarget("create_ticket"), { title: "Refund" }, asking(asked));
  const error = failed(store, "create_ticket", { title: "Refund" }, asked);
  expect(JSON.stringify(error)).toBe(
    JSON.stringify({
      code: -31010,
      message:
        'aimock MCP fake exhausted: tool "create_ticket" with {"title":"Refund"} was called again, but all 2 matching fakes are already used (testId "tickets › retry on timeout").',
      data: {
        aimock: {
          code: "MCP_FAKE_EXHAUSTED",
          tool: "create_ticket",
          testId: "tickets › retry on timeout",
          context: null,
          mount: "/mcp",
          received: { title: "Refund" },
          matchingDeclared: 2,
          matchingConsumed: 2,
          matchingIds: ["tickets/retry.json:first-try", "tickets/retry.json:retry"],
        },
      },
    }),
  );
  expect(lineOf(error)).toBe(
    `MCP-FAKE: exhausted for tools/call create_ticket (testId "tickets › retry on timeout", mount /mcp): ${error.message}`,
  );
});

test("an exhausted tool with one matching fake", () => {
  const store = storeOf(sharedTool("t", { args: {}, result: "ok" }, { args: { a: 1 }, result: "ok" }));
  store.claim(toolTarget("t"), {}, asking());
  expect(failed(store, "t", undefined, {}).message).toBe(
    'aimock MCP fake exhausted: tool "t" with {} was called again, but the 1 matching fake is already used (no testId or context).',
  );
});

test("a tool that a closed world does not declare", () => {
  const error = failed(
    storeOfFile("account/read-only.json"),
    "delete_account",
    { id: "u1" },
    { testId: "account › read only" },
  );
  expect(JSON.stringify(error)).toBe(
    JSON.stringify({
      code: -32602,
      message:
        'Unknown tool: delete_account (aimock MCP fake not declared: this scenario denies undeclared tools; testId "account › read only").',
      data: {
        aimock: {
          code: "MCP_FAKE_NOT_DECLARED",
          tool: "delete_account",
          testId: "account › read only",
          context: null,
          mount: "/mcp",
          declaredTools: ["get_account"],
        },
      },
    }),
  );
  expect(lineOf(error)).toBe(
    `MCP-FAKE: not declared for tools/call delete_account (testId "account › read only", mount /mcp): ${error.message}`,
  );
});

test("an evicted test id", () => {
  const store = emptyStore({ cap: 1 });
  store.add(blockSources(sharedTool("t", { anyArgs: true, result: "ok" }), null), "code");
  for (const testId of ["a", "b"]) store.claim(toolTarget("t"), {}, asking({ testId }));
  const error = failed(store, "t", {}, { testId: "a", context: "C" });
  expect(JSON.stringify(error)).toBe(
    JSON.stringify({
      code: -31011,
      message:
        'aimock MCP fake evicted: consumption state for testId "a" was evicted by the per-mount test-id cap (1); reset before reusing this test id (testId "a", context "C").',
      data: { aimock: { code: "MCP_FAKE_EVICTED", tool: "t", testId: "a", context: "C", mount: "/mcp", cap: 1 } },
    }),
  );
  expect(lineOf(error)).toBe('MCP-FAKE: evicted testId "a" (cap 1) for tools/call t (mount /mcp)');
});

test("a call that broke inside", () => {
  const error = internalError(new Error("out of paper\n"), place("print", { context: "C" }));
  expect(JSON.stringify(error)).toBe(
    JSON.stringify({
      code: -32603,
      message: 'aimock MCP fake internal error: tool "print" could not be answered (context "C"): out of paper\\u000a',
      data: {
        aimock: {
          code: "MCP_FAKE_INTERNAL_ERROR",
          tool: "print",
          testId: null,
          context: "C",
          mount: "/mcp",
          error: "out of paper\n",
        },
      },
    }),
  );
  expect(lineOf(error)).toBe(
    `MCP-FAKE: internal error for tools/call print (context "C", mount /mcp): ${error.message}`,
  );
});

test("a call of a test that has ended", () => {
  const error = testEnded(place("late", { testId: "T" }));
  expect(error).toEqual({
    code: -31012,
    message:
      'aimock MCP test ended: tool "late" was called after its test had ended (testId "T"). Await everything that the agent does before the test returns.',
    data: { aimock: { code: "MCP_TEST_ENDED", tool: "late", testId: "T", context: null, mount: "/mcp" } },
  });
  expect(lineOf(error)).toBe(`MCP-FAKE: test ended for tools/call late (testId "T", mount /mcp): ${error.message}`);
});

test("a message shows 200 characters of what users wrote, the data holds all of it", () => {
  const long = "x".repeat(300);
  const store = storeOf(sharedTool(long, { id: long, args: { a: long }, result: "ok" }));
  const error = failed(store, long, { a: 1, b: long }, { testId: long });
  expect(error.message.length).toBeLessThan(1300);
  expect(error.message).toContain(`(testId "${"x".repeat(181)}… (120 more chars)).`);
  expect(error.data.aimock).toMatchObject({
    tool: long,
    testId: long,
    received: { b: long },
    declared: [{ args: { a: long } }],
  });
});

function failed(store: FakeStore, tool: string, args: Json | undefined, asked: Partial<Identity>): FakeError {
  const outcome = store.claim(toolTarget(tool), args, asking(asked));
  if (outcome.kind === "answered" || outcome.kind === "unfaked")
    throw new Error(`expected a failure, got ${outcome.kind}`);
  return failureOf(outcome, place(tool, asked));
}

function place(tool: string, asked: Partial<Identity>): CallPlace {
  return { target: toolTarget(tool), identity: asking(asked), mount: "/mcp" };
}

/** The line that is logged of an error of a tool. */
function lineOf(error: FakeError): string {
  const { tool, testId, context } = error.data.aimock;
  return logLine(error, place(String(tool), { testId, context }));
}
