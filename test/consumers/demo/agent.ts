import { Client as NextClient, StreamableHTTPClientTransport as NextTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** Calls a tool and answers the text of what came back. */
export type Call = (tool: string, args: Record<string, unknown>) => Promise<string>;

/** The official client of the 1.x line. */
export async function connect(url: string): Promise<Call> {
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return async (name, args) => textOf(await client.callTool({ name, arguments: args }));
}

/** The official client of the 2.x line. */
export async function connectNext(url: string): Promise<Call> {
  const client = new NextClient({ name: "agent", version: "2.0.0" });
  await client.connect(new NextTransport(new URL(url)));
  return async (name, args) => textOf(await client.callTool({ name, arguments: args }));
}

function textOf(result: unknown): string {
  const { content } = result as { content: { text: string }[] };
  return content.map(({ text }) => text).join("");
}
