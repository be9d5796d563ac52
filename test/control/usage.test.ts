import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import type { McpFakeBlock, McpFakeScope } from "../../src/fixtures/types.ts";
import type { StrayCall } from "../../src/journal/tests.ts";
import type { Usage } from "../../src/journal/usage.ts";
import { post, send } from "../_support/http.ts";
import { connect } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";
import { tempTree } from "../_support/temp.ts";

const ID = "a.test.ts › tickets › works";
const ANNOUNCED = { testId: ID, file: "a.test.ts", names: ["tickets", "works"], attempt: 1 };

const block = (scope: McpFakeScope): McpFakeBlock => ({
  scope,
  tools: [{ name: "search", calls: [{ anyArgs: true, result: "yes" }] }],
});

/** A server with a fixture file for the announced test, one for a skipped one, and one whose test id is misspelt. */
async function start() {
  const folder = tempTree({
    "works.json": { mcpFakes: block({ testId: "tickets › works" }) },
    "skipped.json": { mcpFakes: block({ testId: "tickets › skipped" }) },
    "typo.json": { mcpFakes: block({ testId: "tickets › wroks" }) },
  });
  const server = await startMock();
  server.llm.loadFixtureDir(folder);
  const control = `${server.url}/__aimock`;
  const usage = async (): Promise<Usage> => (await send(`${control}/usage`)).json() as Usage;
  const client = await connect(server.mcpUrl, { headers: { "X-Test-Id": encodeURIComponent(ID) } });
  return { ...server, control, usage, client, folder };
}

test("uses are counted over all tests, attempts and resets", async () => {
  const { mcp, control, client, usage } = await start();
  mcp.loadFakes(block("shared"));
  for (const attempt of [1, 2]) {
    await post(`${control}/tests`, { ...ANNOUNCED, attempt });
    await client.call("search");
  }
  await post(`${control}/reset/test?testId=${encodeURIComponent(ID)}`, {});
  const { entries } = await usage();
  expect(entries.map(({ entryId, file, uses }) => [entryId, file, uses])).toEqual([
    ["skipped.json:search#0", "skipped.json", 0],
    ["typo.json:search#0", "typo.json", 0],
    ["works.json:search#0", "works.json", 2],
    ["code#1:search#0", null, 0],
  ]);
});

test("uses of a test that the cap has evicted still count", async () => {
  const { mcp, url, mcpUrl } = await startMock({ fixtureCountsMax: 1 });
  mcp.loadFakes(block("shared"));
  const client = await connect(mcpUrl);
  for (const testId of ["first", "second", "third"]) await client.call("search", {}, { "X-Test-Id": testId });
  const { entries } = (await send(`${url}/__aimock/usage`)).json() as Usage;
  expect(entries.map(({ uses }) => uses)).toEqual([3]);
});

test("scopes that no test answers to are unmet; what is for a skipped test is left out", async () => {
  const { control, usage } = await start();
  await post(`${control}/tests`, ANNOUNCED);
  await post(`${control}/tests/skipped`, {
    tests: [{ testId: "a.test.ts › tickets › skipped", names: ["tickets", "skipped"] }],
  });
  const { entries, unmet, closest, complete } = await usage();
  expect(entries.map(({ file }) => file)).toEqual(["typo.json", "works.json"]);
  expect(unmet).toEqual(["tickets › wroks"]);
  expect(closest).toEqual({ "tickets › wroks": "tickets › works" });
  expect(complete).toBe(true);
});

test("where a file could not be loaded, not every test is known", async () => {
  const { control, usage } = await start();
  await post(`${control}/tests/skipped`, { tests: null });
  expect((await usage()).complete).toBe(false);
});

test("a reload keeps the count of what has not changed", async () => {
  const { llm, control, client, usage, folder } = await start();
  await post(`${control}/tests`, ANNOUNCED);
  await client.call("search");
  llm.replaceFixtures(folder);
  const uses = async () => (await usage()).entries.map((entry) => entry.uses);
  expect(await uses()).toEqual([0, 0, 1]);
});

test("faults count as they come, also over a reload, and a block of faults alone has a scope to meet", async () => {
  const { llm, control, client, usage } = await start();
  const fault = { method: "ping", callIndex: 1, fault: "http-503" };
  const folder = tempTree({
    "mine.json": { mcpFakes: { scope: { testId: "tickets › works" }, faults: [fault] } },
    "typo.json": { mcpFakes: { scope: { testId: "tickets › wrks" }, faults: [{ ...fault, optional: true }] } },
  });
  llm.replaceFixtures(folder);
  await post(`${control}/tests`, ANNOUNCED);
  const ping = () => client.post({ jsonrpc: "2.0", id: 1, method: "ping" });
  expect([(await ping()).status, (await ping()).status]).toEqual([200, 503]);
  llm.replaceFixtures(folder);
  const { faults, unmet } = await usage();
  expect(faults.map(({ faultId, file, optional, uses }) => [faultId, file, optional, uses])).toEqual([
    ["mine.json:faults[0]", "mine.json", false, 1],
    ["typo.json:faults[0]", "typo.json", true, 0],
  ]);
  expect(unmet).toEqual(["tickets › wrks"]);
  expect(llm.fakesReport(ID).unusedFaults).toEqual([]);
});

test("a call that is being answered when its test ends is told, and one that was answered is not", async () => {
  const { mcp, control, client } = await start();
  const answers = new EventEmitter();
  mcp.onToolCall("quick", async () => "at once");
  mcp.onToolCall("slow", async () => {
    answers.emit("asked");
    await once(answers, "go");
    return "at last";
  });
  await post(`${control}/tests`, ANNOUNCED);
  await client.call("quick");
  const [answer] = [client.call("slow", { for: "ever" }), await once(answers, "asked")];
  expect(await post(`${control}/tests/end`, { testId: ID })).toMatchObject({
    calls: [{ tool: "quick" }],
    pending: [{ mount: "/mcp", tool: "slow", args: { for: "ever" }, startedAt: expect.any(Number) }],
  });
  answers.emit("go");
  await answer;
  const { unfinished } = (await send(`${control}/tests`)).json() as { unfinished: StrayCall[] };
  expect(unfinished).toEqual([
    { url: "/mcp", tool: "slow", client: "raw-client", testId: ID, timestamp: expect.any(Number) },
  ]);
});
