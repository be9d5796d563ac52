import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import packageJson from "../../../package.json" with { type: "json" };
import type { JsonObject } from "../../json.ts";
import { upstreamOf } from "./source.ts";

/** A tool of a real server. */
export interface ServerTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject | undefined;
}

/** What a real server lists. */
export interface ServerLists {
  readonly server: JsonObject;
  readonly tools: readonly ServerTool[];
  readonly resources: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
}

/** Asks a server, by its URL or the command that starts it, for all pages of its lists. Throws an `Error` that names it. */
export async function readServer(source: string): Promise<ServerLists> {
  const client = new Client({ name: "mcp-fakes init", version: packageJson.version });
  try {
    await client.connect(transportOf(source));
    const offers = client.getServerCapabilities() ?? {};
    const lists = {
      server: client.getServerVersion() ?? { name: "unknown", version: "0" },
      tools: offers.tools ? (await client.listTools()).tools : [],
      resources: offers.resources ? (await client.listResources()).resources : [],
      prompts: offers.prompts ? (await client.listPrompts()).prompts : [],
    };
    return JSON.parse(JSON.stringify(lists)); // what came over the wire, without the client's own types
  } catch (error) {
    throw new Error(`${source} did not answer as an MCP server: ${error instanceof Error ? error.message : error}`);
  } finally {
    await client.close();
  }
}

function transportOf(source: string): StreamableHTTPClientTransport | StdioClientTransport {
  const upstream = upstreamOf(source);
  if ("url" in upstream) return new StreamableHTTPClientTransport(new URL(upstream.url));
  return new StdioClientTransport(upstream);
}
