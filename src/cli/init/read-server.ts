import { Client } from "@modelcontextprotocol/client";
import packageJson from "../../../package.json" with { type: "json" };
import type { JsonObject } from "../../json.ts";
import { reasonText } from "../../text.ts";
import type { UpstreamConfig } from "../../upstream/schema.ts";
import { nameOf, openTransport } from "../../upstream/transport.ts";

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

/** Asks a server for all pages of its lists. Throws an `Error` that names it and says what it printed. */
export async function readServer(config: UpstreamConfig): Promise<ServerLists> {
  const client = new Client({ name: "mcp-fakes init", version: packageJson.version });
  let printed = "";
  const { transport, endSession } = await openTransport(config, (text) => {
    printed += text;
  });
  try {
    await client.connect(transport);
    const offers = client.getServerCapabilities() ?? {};
    const lists = {
      server: client.getServerVersion() ?? { name: "unknown", version: "0" },
      tools: offers.tools ? (await client.listTools()).tools : [],
      resources: offers.resources ? (await client.listResources()).resources : [],
      prompts: offers.prompts ? (await client.listPrompts()).prompts : [],
    };
    await endSession();
    return JSON.parse(JSON.stringify(lists)); // what came over the wire, without the client's own types
  } catch (error) {
    const shown = printed.trim() === "" ? "" : `\nIt printed:\n${printed.trim()}`;
    throw new Error(`${nameOf(config)} did not answer as an MCP server: ${reasonText(error)}${shown}`);
  } finally {
    await transport.close();
  }
}
