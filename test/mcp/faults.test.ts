import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import type { LLMock, McpFakeCall } from "../../src/index.ts";
import { connect, MCP_HEADERS } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";
import { problemsOf } from "../_support/thrown.ts";
import { takeProblems } from "../_support/wire-check.ts";

// These servers misbehave on purpose.
afterEach(() => void takeProblems());

const IMPLEMENTATION = { name: "faulty", version: "1.0.0" };
const TIMEOUT = { timeout: 500 };

interface Caller {
  call(args?: Record<string, unknown>): Promise<unknown>;
}

/** Both official clients, and the newer one in the era without sessions. */
const CLIENTS: Record<string, (url: string) => Promise<Caller>> = {
  "sdk 1.x": async (url) => {
    const client = new ClientV1(IMPLEMENTATION);
    await client.connect(new TransportV1(new URL(url)) as Parameters<ClientV1["connect"]>[0]); // see clients.ts
    onTestFinished(() => client.close());
    return { call: (args = {}) => client.callTool({ name: "order", arguments: args }, undefined, TIMEOUT) };
  },
  "client 2.x": (url) => connectV2(url, "legacy"),
  "client 2.x, stateless": (url) => connectV2(url, { pin: "2026-07-28" }),
};

async function connectV2(url: string, mode: "legacy" | { pin: string }): Promise<Caller> {
  const client = new ClientV2(IMPLEMENTATION, { versionNegotiation: { mode } });
  await client.connect(new TransportV2(new URL(url)));
  onTestFinished(() => client.close());
  return { call: (args = {}) => client.callTool({ name: "order", arguments: args }, TIMEOUT) };
}

async function start(...calls: McpFakeCall[]): Promise<{ url: string; llm: LLMock }> {
  const { llm, mcp, mcpUrl } = await startMock();
  mcp.loadFakes({ scope: "shared", tools: [{ name: "order", calls }] });
  return { url: mcpUrl, llm };
}

const OK = { content: [{ type: "text", text: "done" }], isError: false };

const LOSING = [
  "reset",
  "hang",
  "cut-stream",
  "bad-json",
  "wrong-id",
  "http-401",
  "http-403",
  "http-404",
  "http-429",
  "http-500",
  "http-503",
] as const;

describe.each(Object.entries(CLIENTS))("%s", (_name, connect) => {
  test.each(LOSING)("a call that ends in %s fails; called again, it gets the answer", async (fault) => {
    const { url, llm } = await start({ anyArgs: true, fault, result: "done" }, { anyArgs: true, result: "second" });
    const client = await connect(url);
    await expect(client.call()).rejects.toThrow();
    expect(await client.call()).toMatchObject(OK);
    expect(await client.call()).toMatchObject({ content: [{ type: "text", text: "second" }] });
    const calls = llm.getRequests().flatMap(({ mcp }) => mcp?.call ?? []);
    expect(calls.map((call) => call.fault)).toEqual([fault, undefined, undefined]);
    expect(llm.fakesReport()).toMatchObject({ failures: [], sharedUnconsumed: [] });
  });

  test("a fault alone is the answer: the next call gets the next entry", async () => {
    const { url } = await start({ anyArgs: true, fault: "http-503" }, { anyArgs: true, result: "done" });
    const client = await connect(url);
    await expect(client.call()).rejects.toThrow();
    expect(await client.call()).toMatchObject(OK);
  });

  test("a tool that is gone is an unknown tool", async () => {
    const { url } = await start({ anyArgs: true, fault: "tool-gone" });
    await expect((await connect(url)).call()).rejects.toThrow("Unknown tool: order");
  });

  test("structured content may be missing, or be wrong", async () => {
    const { url } = await start(
      { anyArgs: true, fault: "no-structured-content", result: { total: 3 } },
      { anyArgs: true, fault: "bad-structured-content", result: { total: 3 } },
    );
    const client = await connect(url);
    expect(await client.call()).not.toHaveProperty("structuredContent");
    expect(await client.call()).toMatchObject({ structuredContent: { "not what the schema says": true } });
  });

  test("a raw reply goes out as it stands, at once or slowly", async () => {
    const body = "<html>bad gateway</html>";
    const raw = { status: 502, headers: { "content-type": "text/html" }, body };
    const { url } = await start({ anyArgs: true, fault: raw }, { anyArgs: true, fault: { ...raw, overMs: 40 } });
    const client = await connect(url);
    await expect(client.call()).rejects.toThrow("bad gateway");
    await expect(client.call()).rejects.toThrow("bad gateway");
  });

  test("a client that gives up waiting, and tries again, gets the answer it waited for", async () => {
    const { url } = await start({ anyArgs: true, delayMs: 60_000, result: "done" });
    const client = await connect(url);
    await expect(client.call()).rejects.toThrow();
    await expect.poll(() => client.call().catch(String), { interval: 100 }).toMatchObject(OK);
  });
});

test("a session that has expired is unknown", async () => {
  const { url } = await start({ anyArgs: true, fault: "expire-session", result: "done" });
  const client = await CLIENTS["sdk 1.x"]?.(url);
  await expect(client?.call()).rejects.toThrow("Session not found");
  await expect(client?.call()).rejects.toThrow("Session not found");
  const again = await CLIENTS["sdk 1.x"]?.(url);
  expect(await again?.call()).toMatchObject(OK);
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
  const client = await CLIENTS["client 2.x"]?.(url);
  await expect(client?.call()).rejects.toThrow();
  expect(await client?.call()).toMatchObject(OK);
  expect(await client?.call()).toMatchObject({ content: [{ type: "text", text: "second" }] });
});

test("a fault that nobody knows is refused when it is loaded", async () => {
  const { mcp } = await startMock();
  const calls = [{ anyArgs: true, fault: "explode" }] as unknown as McpFakeCall[];
  const [problem] = problemsOf(() => mcp.loadFakes({ scope: "shared", tools: [{ name: "order", calls }] }));
  expect(problem).toContain('tool "order" calls[0] fault must be "reset", "hang"');
});
