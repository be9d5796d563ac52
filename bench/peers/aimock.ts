import { LLMock, MCPMock } from "@copilotkit/aimock";
import { tellReady } from "./ready.ts";

/** The reference, answering from a handler: its release here has no fakes yet. */
const mcp = new MCPMock();
mcp.addTool({ name: "create_ticket", description: "Creates a ticket", inputSchema: { type: "object" } });
mcp.onToolCall("create_ticket", () => "TICKET-42");
const llm = new LLMock({ port: 0 });
llm.mount("/mcp", mcp);
await llm.start();
tellReady(Number(new URL(llm.url).port));
