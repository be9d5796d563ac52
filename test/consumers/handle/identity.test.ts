import { EventEmitter } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { call } from "./agent.ts";
import { failure } from "./failure.ts";
import { describe, expect, mcp, test } from "./runner.ts";

/** Work that is done in nobody's context: it was set going before any test. */
const office = new EventEmitter();
setInterval(() => office.emit("tick"), 5).unref();

function inTheOffice<T>(work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => office.once("tick", () => work().then(resolve, reject)));
}

test("code without a context belongs to the test that runs alone", async () => {
  await mcp.fake("search", { args: {}, result: "yes" });
  await inTheOffice(() => call(mcp.url, "search"));
  expect(await inTheOffice(async () => mcp.testId)).toBe(mcp.testId);
});

describe("with two at once, it belongs to none", () => {
  const asked: string[] = [];

  for (const name of ["one", "the other"]) {
    test.concurrent(name, async () => {
      asked.push(name);
      while (asked.length < 2) await pause(1);
      const text = await inTheOffice(async () => failure(() => mcp.testId));
      expect(text).toContain("2 tests are running here, and none of them started the code that used it.");
      asked.push(name);
      while (asked.length < 4) await pause(1);
    });
  }
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
