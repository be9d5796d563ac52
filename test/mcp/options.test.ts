import { describe, expect, test } from "vitest";
import { MCPMock } from "../../src/index.ts";
import { connect, stateless } from "../_support/mcp.ts";
import { startServer } from "../_support/server.ts";
import { WIRES } from "../_support/wires.ts";

const SERVER_INFO = { name: "shop", version: "3.1.4", title: "The shop", websiteUrl: "https://shop.test" };

describe.each(WIRES)("$name", ({ connect, era }) => {
  test("a client is told who the server is, what it is for and what it offers", async () => {
    const capabilities = { tools: { listChanged: true }, prompts: {}, experimental: { "com.example/x": {} } };
    const { client } = await connect(
      new MCPMock({ serverInfo: SERVER_INFO, instructions: "Buy low.", capabilities, sse: true }),
    );
    expect(client.getServerVersion()).toEqual(SERVER_INFO);
    expect(client.getInstructions()).toBe("Buy low.");
    expect(client.getServerCapabilities()).toEqual(capabilities);
  });

  test("lists may be kept for ttlMs where clients keep any; the next page is asked for all the same", async () => {
    const mcp = new MCPMock({ pageSize: 1, ttlMs: 60_000, sse: true });
    for (const name of ["a", "b"]) mcp.addTool({ name });
    const { client } = await connect(mcp);
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toEqual(["a", "b"]);
    mcp.addTool({ name: "c" });
    expect(await names()).toEqual(era === "stateless" ? ["a", "b"] : ["a", "b", "c"]);
  });
});

const BATCH = [1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "ping" }));
const ANSWERS = BATCH.map(({ id }) => ({ jsonrpc: "2.0", id, result: {} }));

test.each([
  ["by-version", "2025-03-26", 200],
  ["by-version", "2025-11-25", 400],
  ["always", "2025-11-25", 200],
  ["never", "2025-03-26", 400],
] as const)(
  "with batches %s, several messages at once in %s are answered with %i",
  async (batches, protocolVersion, status) => {
    const mcp = new MCPMock({ batches });
    const { url } = await startServer({}, (llm) => llm.mount("/mcp", mcp));
    const client = await connect(`${url}/mcp`, { protocolVersion });
    const reply = await client.post(BATCH);
    expect(reply.status).toBe(status);
    if (status === 200) expect(reply.json()).toEqual(ANSWERS);
    else expect(reply.text).toContain(`no batches are taken in MCP ${protocolVersion}; send one message`);
  },
);

test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const)(
  "a mock pinned to %s settles on it, whatever it is asked for",
  async (version) => {
    const { url } = await startServer({}, (llm) => llm.mount("/mcp", new MCPMock({ protocolVersions: version })));
    await connect(`${url}/mcp`, { protocolVersion: "2025-11-25" });
    expect((await stateless(`${url}/mcp`, "server/discover")).status).toBe(400);
    const journal = await (await fetch(`${url}/__aimock/journal`)).json();
    expect(JSON.stringify(journal)).toContain(`"protocolVersion":"${version}"`);
  },
);
