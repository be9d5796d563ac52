import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ready } from "./ready.ts";

/** The official SDK's server, answering from a handler, JSON replies on. */
const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, enableJsonResponse: true });
const mcp = new McpServer({ name: "sdk", version: "1.0.0" });
mcp.registerTool("create_ticket", { description: "Creates a ticket" }, () => ({
  content: [{ type: "text", text: "TICKET-42" }],
}));
await mcp.connect(transport);
ready(createServer((request, response) => void transport.handleRequest(request, response)));
