import { expect, test } from "vitest";
import { type Traced, traceOf } from "../../../plugins/shared/trace.ts";
import type { JournalEntry } from "../../../src/journal/entry.ts";
import { post, send } from "../../_support/http.ts";
import { connect } from "../../_support/mcp.ts";
import { startMock } from "../../_support/server.ts";

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

test("handshakes and lists share a line, which says what went wrong; a refused request has its own", async () => {
  const { url, mcpUrl } = await startMock();
  const client = await connect(mcpUrl);
  await client.request("tools/list");
  await client.request("tools/lists");
  await post(mcpUrl, { jsonrpc: "2.0", id: 1, method: "tools/list" });
  await client.request("ping");
  const messages = (await send(`${url}/__aimock/journal`)).json() as JournalEntry[];
  expect(traceOf({ asked: [], turns: [], pending: [], messages })).toBe(`All that this test asked of the server:
  1. initialize, tools/list, tools/lists (error -32601, Method not found) on /mcp
  2. a request to /mcp -> refused with HTTP 400: Bad Request: the Mcp-Session-Id header is missing; send initialize first and repeat the id that it answers
  3. ping on /mcp`);
});

test("of very many steps, the last are shown, and with them the call that has no answer", () => {
  const call = { mount: "/mcp", tool: "search", args: {} };
  const pending = Array.from({ length: 35 }, (_, startedAt) => ({ ...call, startedAt }));
  const lines = traceOf({ asked: [], turns: [], pending, messages: [] })?.split("\n") ?? [];
  expect(lines).toHaveLength(32);
  expect(lines.slice(1, 3)).toEqual(["  … 5 before", "  6. search {} on /mcp -> no answer yet when the test ended"]);
  expect(lines.at(-1)).toMatch(/^ {2}35\. search/);
});
