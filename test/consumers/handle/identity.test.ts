import { call } from "./agent.ts";
import { inTheOffice } from "./office.ts";
import { expect, mcp, test } from "./runner.ts";

test("code without a context belongs to the test that runs alone", async () => {
  await mcp.fake("search", { args: {}, result: "yes" });
  await inTheOffice(() => call(mcp.url, "search"));
  expect(await inTheOffice(async () => mcp.testId)).toBe(mcp.testId);
});

test("a header or query that the user set is left alone", async () => {
  const journal = `${mcp.llm.url}/__aimock/journal?testId=somebody`;
  const ping = { method: "POST", body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' };
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  await fetch(mcp.url, { ...ping, headers: { ...headers, "x-test-id": "somebody" } });
  await fetch(`${mcp.url}?testId=somebody`, { ...ping, headers });
  const entries: { headers: Record<string, string> }[] = await (await fetch(journal)).json();
  expect(entries.map((entry) => entry.headers["x-test-id"])).toEqual(["somebody", undefined]);
  expect(mcp.journal()).toEqual([]);
});

test('a name with half a character, quotes and › is no hindrance \ud800 %41 "›" 你好 🎉', async () => {
  await mcp.fake("search", { args: {}, result: "yes" });
  await call(mcp.url, "search");
  expect(mcp).toHaveConsumedAllFakes();
});
