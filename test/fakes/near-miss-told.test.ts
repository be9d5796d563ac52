import { expect, test } from "vitest";
import * as matchers from "../../plugins/shared/matchers/index.ts";
import type { McpFakeBlock, McpFakeCall } from "../../src/index.ts";
import { connect } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";

expect.extend(matchers);

// Each reason why the closest fake did not answer is told in the error's data, in the report and in a matcher's text.

const scoped = (testId: string, name: string, ...calls: McpFakeCall[]): McpFakeBlock => ({
  scope: { testId },
  undeclaredTools: "deny",
  tools: [{ name, calls }],
});

const ONE: McpFakeCall = { partialArgs: { n: 1 }, result: "ok" };

const CASES = [
  {
    kind: "wrong-tool",
    text: 'the tool "openPr" is declared, "open_pr" was called',
    blocks: [scoped("a", "openPr", ONE)],
    calls: [{ n: 1 }],
  },
  {
    kind: "missing-key",
    text: "$.n: expected 1, received nothing (key missing)",
    blocks: [scoped("a", "open_pr", ONE)],
    calls: [{}],
  },
  {
    kind: "wrong-type",
    text: '$.n: expected 1, received "1"',
    blocks: [scoped("a", "open_pr", ONE)],
    calls: [{ n: "1" }],
  },
  {
    kind: "wrong-value",
    text: "$.n: expected 1, received 2",
    blocks: [scoped("a", "open_pr", ONE)],
    calls: [{ n: 2 }],
  },
  {
    kind: "used-up",
    text: "used up: it answers 1 call",
    blocks: [scoped("a", "open_pr", ONE)],
    calls: [{ n: 1 }, { n: 1 }],
  },
  {
    kind: "other-test",
    text: 'declared for testId "b"',
    blocks: [scoped("a", "open_pr", { partialArgs: { n: 5, m: 6 }, result: "ok" }), scoped("b", "open_pr", ONE)],
    calls: [{ n: 1 }],
  },
];

test.each(CASES)("$kind", async ({ kind, text, blocks, calls }) => {
  const { llm, mcp, mcpUrl } = await startMock();
  mcp.loadFakes(blocks);
  const client = await connect(mcpUrl, { headers: { "x-test-id": "a" } });
  const answers = [];
  for (const args of calls) answers.push(await client.call("open_pr", args));

  const reasons = [{ kind, text }];
  expect(answers.at(-1)?.error?.data).toMatchObject({ nearMiss: { reasons } });
  expect(llm.fakesReport("a").failures).toMatchObject([{ nearMiss: { reasons } }]);
  const told = kind === "used-up" ? "is already used" : text;
  expect(() => expect(llm).toHaveNoFakeFailures({ testId: "a" })).toThrow(told);
});
