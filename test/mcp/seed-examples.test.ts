import { describe, expect, onTestFinished, test } from "vitest";
import { LLMock, MCPMock } from "../../src/index.ts";
import { CLIENTS } from "../_support/clients.ts";
import { connect } from "../_support/mcp.ts";
import { startServer } from "../_support/server.ts";

const id = (testId: string) => ({ headers: { "X-Test-Id": encodeURIComponent(testId) } });
const text = (value: string, isError = false) => ({ result: { content: [{ type: "text", text: value }], isError } });

/** The seed's files, under the seed's names. */
const FILES = [
  "tickets/retry.json",
  "weather/seattle.json",
  "account/read-only.json",
  "docs/search.json",
  "multi/travel.json",
];
const loadSeed = (llm: LLMock) => llm.loadFixtures(FILES, { cwd: "fixtures" });
const startSeed = () => startServer({}, loadSeed);

describe.each(CLIENTS)("the scenarios of the shipped fixtures, with $name", ({ open }) => {
  test("tickets › retry on timeout: a tool error, then the ticket, then exhausted", async () => {
    const { url } = await startSeed();
    const client = await open(`${url}/mcp`, id("tickets › retry on timeout"));
    const create = () => client.call("create_ticket", { title: "Refund" });
    expect(await create()).toEqual(text("upstream timeout", true));
    expect(await create()).toEqual(text("TICKET-42"));
    expect(await create()).toEqual({
      error: {
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
      },
    });
  });

  test("weather › seattle: structured content with its text, and a mismatch that names the difference", async () => {
    const { url } = await startSeed();
    const client = await open(`${url}/mcp`, id("weather › seattle"));
    expect(await client.call("get_weather", { city: "seattle" })).toEqual({
      error: {
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
      },
    });
    expect(await client.call("get_weather", { city: "Seattle" })).toEqual({
      result: {
        content: [{ type: "text", text: '{"tempF":60,"conditions":"rain"}' }],
        structuredContent: { tempF: 60, conditions: "rain" },
        isError: false,
      },
    });
  });

  test("account › read only: a closed world", async () => {
    const { url } = await startSeed();
    const client = await open(`${url}/mcp`, id("account › read only"));
    expect(await client.call("get_account", { id: "u1" })).toEqual(text('{"plan":"pro"}'));
    expect(await client.call("delete_account", { id: "u1" })).toEqual({
      error: {
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
      },
    });
  });

  test("docs-search: any arguments, by context alone", async () => {
    const { url } = await startSeed();
    const client = await open(`${url}/mcp`, { headers: { "X-AIMock-Context": "docs-search" } });
    expect(await client.call("search_docs", { q: "refunds" })).toEqual({
      result: { content: [{ type: "text", text: "Doc A: refunds take 5 days" }], isError: false },
    });
    expect(await client.call("search_docs")).toEqual({
      result: { content: [{ type: "text", text: "Doc B: contact support" }], isError: false },
    });
    expect(await client.call("search_docs", { q: "more" })).toMatchObject({ error: { code: -31010 } });
    const stranger = await open(`${url}/mcp`, id("someone"));
    expect(await stranger.call("search_docs")).toMatchObject({
      error: { code: -32602, message: "Unknown tool: search_docs" },
    });
  });

  test("travel › book trip: one block for each MCP server", async () => {
    const { url } = await startSeed();
    const flights = await open(`${url}/mcp/flights`, id("travel › book trip"));
    const hotels = await open(`${url}/mcp/hotels`, id("travel › book trip"));
    expect((await flights.listTools()).map((tool) => tool.name)).toEqual(["search_flights"]);
    expect(await flights.call("search_flights", { from: "OSL" })).toEqual(text("UA 100 departs 09:00"));
    expect(await flights.call("book_hotel", { city: "Paris" })).toMatchObject({
      error: { code: -32602, message: "Unknown tool: book_hotel" },
    });
    expect(await hotels.call("book_hotel", { city: "Paris" })).toEqual(text("HOTEL-7"));
  });
});

test("both ways in code: a file on its auto-mount, fakes from code on a mount of their own", async () => {
  const { url } = await startServer({}, (llm) => {
    llm.loadFixtureFile("fixtures/weather/seattle.json");
    const billing = new MCPMock();
    billing.loadFakes({
      scope: { testId: "billing › refund" },
      tools: [{ name: "refund", calls: [{ args: { amount: 10 }, result: "refunded 10" }] }],
    });
    llm.mount("/billing", billing);
  });
  const weather = await connect(`${url}/mcp`, id("weather › seattle"));
  expect((await weather.call("get_weather", { city: "Seattle" })).result).toBeDefined();
  const billing = await connect(`${url}/billing`, id("billing › refund"));
  expect((await billing.call("refund", { amount: 10 })).result).toEqual(text("refunded 10").result);
});

test("loading a file again adds its blocks again, under @2", async () => {
  const { url, llm } = await startSeed();
  loadSeed(llm);
  const client = await connect(`${url}/mcp`, id("weather › seattle"));
  await client.call("get_weather", { city: "Seattle" });
  await client.call("get_weather", { city: "Seattle" });
  expect(llm.fakesReport("weather › seattle").served.map(({ entryId }) => entryId)).toEqual([
    "weather/seattle.json:get_weather#0",
    "weather/seattle.json@2:get_weather#0",
  ]);
});

test("a mock mounted before start takes over the fakes that were waiting for its path", async () => {
  const mcp = new MCPMock();
  const { url } = await startServer({}, (llm) => loadSeed(llm).mount("/mcp", mcp));
  const client = await connect(`${url}/mcp`, id("weather › seattle"));
  expect((await client.call("get_weather", { city: "Seattle" })).result).toBeDefined();
  expect(mcp.fakesSnapshot("weather › seattle").map((block) => block.blockId)).toEqual(["weather/seattle.json"]);
});

test("a mount of another kind cannot take over fakes, and one made after start is shadowed", async () => {
  const llm = new LLMock({ logLevel: "silent" }).loadFixtureDir("fixtures/weather");
  expect(() => llm.mount("/mcp", { handle: () => undefined })).toThrow(
    '"seattle.json", block "seattle.json": [mcp-fakes/mount-conflict] mount "/mcp" is served by "/mcp", which is not an MCP mock, so its fakes cannot be served',
  );
  const warned: string[] = [];
  llm.setLogger({ error() {}, warn: (line) => void warned.push(line), info() {}, debug() {} });
  await llm.start();
  onTestFinished(() => llm.stop());
  llm.mount("/mcp", new MCPMock());
  expect(warned).toEqual([
    'MCP fakes: the mount at "/mcp" is shadowed by the MCP mock auto-mounted at "/mcp"; its requests reach the auto-mount',
  ]);
});

test("one bad file keeps all the files of a load out, and every problem is told", async () => {
  const { llm } = await startServer();
  expect(() => llm.loadFixtures(["fixtures/weather", "fixtures/invalid/a-no-scope.json", "fixtures/nowhere"])).toThrow(
    /and 1 more error/,
  );
  expect(llm.fakesReport("weather › seattle")).toMatchObject({ ok: true, unconsumed: [] });
});
