import { afterEach, describe, expect, test } from "vitest";
import { type LLMock, MCPMock, type McpFakeCall } from "../../src/index.ts";
import { connect, MCP_HEADERS } from "../_support/mcp.ts";
import { LOSING_FAULTS, OFFICIAL_CLIENTS, SOON } from "../_support/official-clients.ts";
import { startMock } from "../_support/server.ts";
import { problemsOf } from "../_support/thrown.ts";
import { takeProblems } from "../_support/wire-check.ts";

// These servers misbehave on purpose.
afterEach(() => void takeProblems());

async function start(...calls: McpFakeCall[]): Promise<{ url: string; llm: LLMock }> {
  const { llm, mcp, mcpUrl } = await startMock();
  mcp.loadFakes({ scope: "shared", tools: [{ name: "order", calls }] });
  return { url: mcpUrl, llm };
}

const OK = { content: [{ type: "text", text: "done" }], isError: false };

describe.each(OFFICIAL_CLIENTS)("$name", ({ open }) => {
  test.each(LOSING_FAULTS)("a call that ends in %s fails; called again, it gets the answer", async (fault) => {
    const { url, llm } = await start({ anyArgs: true, fault, result: "done" }, { anyArgs: true, result: "second" });
    const client = await open(url);
    await expect(client.call("order", SOON)).rejects.toThrow();
    expect(await client.call("order")).toMatchObject(OK);
    expect(await client.call("order")).toMatchObject({ content: [{ type: "text", text: "second" }] });
    const calls = llm.getRequests().flatMap(({ mcp }) => mcp?.call ?? []);
    expect(calls.map((call) => call.fault)).toEqual([fault, undefined, undefined]);
    expect(llm.fakesReport()).toMatchObject({ failures: [], sharedUnconsumed: [] });
  });

  test("a fault alone is the answer: the next call gets the next entry", async () => {
    const { url } = await start({ anyArgs: true, fault: "http-503" }, { anyArgs: true, result: "done" });
    const client = await open(url);
    await expect(client.call("order", SOON)).rejects.toThrow();
    expect(await client.call("order")).toMatchObject(OK);
  });

  test("a tool that is gone is an unknown tool", async () => {
    const { url } = await start({ anyArgs: true, fault: "tool-gone" });
    await expect((await open(url)).call("order")).rejects.toThrow("Unknown tool: order");
  });

  test("structured content may be missing, or be wrong", async () => {
    const { url } = await start(
      { anyArgs: true, fault: "no-structured-content", result: { total: 3 } },
      { anyArgs: true, fault: "bad-structured-content", result: { total: 3 } },
    );
    const client = await open(url);
    expect(await client.call("order")).not.toHaveProperty("structuredContent");
    expect(await client.call("order")).toMatchObject({ structuredContent: { "not what the schema says": true } });
  });

  test("a raw reply goes out as it stands, at once or slowly", async () => {
    const body = "<html>bad gateway</html>";
    const raw = { status: 502, headers: { "content-type": "text/html" }, body };
    const { url } = await start({ anyArgs: true, fault: raw }, { anyArgs: true, fault: { ...raw, overMs: 40 } });
    const client = await open(url);
    await expect(client.call("order", SOON)).rejects.toThrow("bad gateway");
    await expect(client.call("order", SOON)).rejects.toThrow("bad gateway");
  });

  test("a client that gives up waiting, and tries again, gets the answer it waited for", async () => {
    const { url } = await start({ anyArgs: true, delayMs: 60_000, result: "done" });
    const client = await open(url);
    await expect(client.call("order", SOON)).rejects.toThrow();
    await expect.poll(() => client.call("order").catch(String), { interval: 100 }).toMatchObject(OK);
  });
});

test("a session that has expired is unknown", async () => {
  const { url } = await start({ anyArgs: true, fault: "expire-session", result: "done" });
  const client = await OFFICIAL_CLIENTS[0]?.open(url);
  await expect(client?.call("order", SOON)).rejects.toThrow("Session not found");
  await expect(client?.call("order", SOON)).rejects.toThrow("Session not found");
  const again = await OFFICIAL_CLIENTS[0]?.open(url);
  expect(await again?.call("order")).toMatchObject(OK);
});

test("an answer whose client had hung up is given to the next call that asks for it", async () => {
  const { url, llm } = await start(
    { anyArgs: true, delayMs: 100, result: "done" },
    { anyArgs: true, result: "second" },
  );
  const client = await connect(url);
  const abort = new AbortController();
  const headers = { ...MCP_HEADERS, "mcp-session-id": client.sessionId };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 9, method: "tools/call", params: { name: "order" } });
  const lost = fetch(url, { method: "POST", headers, body, signal: abort.signal }).catch(String);
  setTimeout(() => abort.abort(), 30);
  await lost;
  // The call goes on without its client (MCP 2025-11-25: a closed connection does not cancel).
  await expect.poll(() => llm.getRequests().filter(({ mcp }) => mcp?.call !== undefined).length).toBe(1);
  expect((await client.call("order")).result).toEqual(OK);
  expect((await client.call("order")).result).toMatchObject({ content: [{ text: "second" }] });
});

test("a scenario's state goes back with an answer that did not arrive", async () => {
  const { url } = await start(
    { anyArgs: true, state: "start", setState: "ordered", fault: "reset", result: "done" },
    { anyArgs: true, state: "ordered", result: "second" },
  );
  const client = await OFFICIAL_CLIENTS[1]?.open(url);
  await expect(client?.call("order", SOON)).rejects.toThrow();
  expect(await client?.call("order")).toMatchObject(OK);
  expect(await client?.call("order")).toMatchObject({ content: [{ type: "text", text: "second" }] });
});

test.each([
  ["rset", 'fault got "rset" (the closest is "reset"), but must be "reset", "hang", '],
  [5, 'fault got 5, but must be "reset", "hang", '],
  ["bad-cursor", 'fault got "bad-cursor" (the closest is "bad-json"), but must be "reset", '],
  [{ status: 700 }, "fault.status must be at most 599, got 700"],
  [{ status: 99 }, "fault.status must be at least 200, got 99"],
  [
    { headers: { "x y": "1" } },
    'fault.headers["x y"] is no name of a header: letters, digits and the signs !#$%&\'*+-.^_`|~ are allowed, and no spaces',
  ],
  [
    { headers: { "x-a": "1\r\nx-b: 2" } },
    'fault.headers["x-a"] must be a header\'s value, without line breaks, control characters and characters beyond U+00FF, got ',
  ],
  [{ headers: { "x-a": "ł" } }, 'fault.headers["x-a"] must be a header\'s value, '],
])("a fault that cannot be honoured is refused when it is loaded: %j", (fault, told) => {
  const calls = [{ anyArgs: true, fault }] as unknown as McpFakeCall[];
  const problems = problemsOf(() => new MCPMock().loadFakes({ scope: "shared", tools: [{ name: "order", calls }] }));
  expect(problems).toEqual([expect.stringContaining(`tool "order" calls[0] ${told}`)]);
});
