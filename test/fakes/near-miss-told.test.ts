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

const OWN = scoped("a", "open_pr", ONE);
const OTHER = [scoped("a", "open_pr", { partialArgs: { n: 5, m: 6 }, result: "ok" }), scoped("b", "open_pr", ONE)];
const MISSPELLED = scoped("a", "openPr", ONE);

const CASES: [kind: string, text: string, blocks: McpFakeBlock[], ...calls: object[]][] = [
  ["wrong-tool", 'the tool "openPr" is declared, "open_pr" was called', [MISSPELLED], { n: 1 }],
  ["missing-key", "$.n: expected 1, received nothing (key missing)", [OWN], {}],
  ["wrong-type", '$.n: expected 1, received "1"', [OWN], { n: "1" }],
  ["wrong-value", "$.n: expected 1, received 2", [OWN], { n: 2 }],
  ["used-up", "used up: it answers 1 call", [OWN], { n: 1 }, { n: 1 }],
  ["other-test", 'declared for testId "b"', OTHER, { n: 1 }],
];

test.each(CASES)("%s", async (kind, text, blocks, ...calls) => {
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

test("a tool that only another test has, and one that nobody has, are told to the test and not to its agent", async () => {
  const { llm, mcp, mcpUrl } = await startMock();
  mcp.loadFakes([
    { scope: { testId: "desk › file" }, tools: [{ name: "open_pr", calls: [{ args: {}, result: "ok" }] }] },
  ]);
  const client = await connect(mcpUrl, { headers: { "x-test-id": "desk" } });
  const answers = [await client.call("open_pr"), await client.call("delete_all")];
  expect(answers.map(({ error }) => error)).toEqual([
    { code: -32602, message: "Unknown tool: open_pr" },
    { code: -32602, message: "Unknown tool: delete_all" },
  ]);
  const asked = { mount: "/mcp", args: {}, answeredBy: "unknown-tool" };
  const reasons = [{ kind: "other-test", text: 'declared for testId "desk › file"' }];
  expect(llm.fakesReport("desk").unfaked).toEqual([
    { ...asked, tool: "open_pr", nearMiss: { entryId: "code#1[0]:open_pr#0", tool: "open_pr", reasons } },
    { ...asked, tool: "delete_all" },
  ]);
  expect(() => expect(llm).toHaveNoFakeFailures({ testId: "desk" })).toThrow(
    `2 calls of unknown tools:
  1. open_pr {} on /mcp
     closest fake code#1[0]:open_pr#0: declared for testId "desk › file"
  2. delete_all {} on /mcp`,
  );
});
