import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** A client of an MCP server, as an agent would have one. */
export async function connect(url: string): Promise<Client> {
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

/** Calls a tool and keeps to itself whatever goes wrong, as some agents do. */
export async function call(url: string, name: string, args: Record<string, unknown> = {}): Promise<void> {
  const client = await connect(url);
  await client.callTool({ name, arguments: args }).catch(() => {});
  await client.close();
}
