import { Client as NextClient, StreamableHTTPClientTransport as NextTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type Sender, senders } from "./senders.ts";

/** Something that calls tools; it knows the server's URL and nothing of tests. */
export interface Agent {
  /** Calls a tool and answers the text of its result. */
  call(tool: string, args: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** Every kind of agent, by name. */
export const agents: Record<string, (url: string) => Promise<Agent>> = {
  "SDK 1": async (url) => {
    const client = new Client({ name: "isolation", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return {
      call: async (name, args) => textOf(await client.callTool({ name, arguments: args })),
      close: () => client.close(),
    };
  },
  "SDK 2": async (url) => {
    const client = new NextClient({ name: "isolation", version: "2.0.0" });
    await client.connect(new NextTransport(new URL(url)));
    return {
      call: async (name, args) => textOf(await client.callTool({ name, arguments: args })),
      close: () => client.close(),
    };
  },
  ...Object.fromEntries(Object.entries(senders).map(([name, send]) => [name, (url: string) => byHand(send, url)])),
};

/** Speaks MCP over one way of sending. */
async function byHand(send: Sender, url: string): Promise<Agent> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  let id = 0;
  const clientInfo = { name: "by-hand", version: "1.0.0" };
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const opened = await send(url, headers, JSON.stringify({ jsonrpc: "2.0", id, method: "initialize", params: hello }));
  const session = { ...headers, "mcp-session-id": String(opened.session) };
  await send(url, session, JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
  return {
    async close() {},
    async call(name, args) {
      const params = { name, arguments: args };
      const { text } = await send(
        url,
        session,
        JSON.stringify({ jsonrpc: "2.0", id: ++id, method: "tools/call", params }),
      );
      const { result, error } = JSON.parse(text);
      if (error !== undefined) throw new Error(error.message);
      return textOf(result);
    },
  };
}

function textOf(result: unknown): string {
  const { content } = result as { content: { text: string }[] };
  return content.map(({ text }) => text).join("");
}
