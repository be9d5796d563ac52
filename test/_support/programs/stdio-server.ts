import { MCPMock } from "../../../src/index.ts";

/** A stdio server with one tool that answers and one that never does. */
const mcp = new MCPMock();
mcp.onToolCall("echo", (args) => JSON.stringify(args));
mcp.onToolCall("wait", () => new Promise(() => {}));
await mcp.serveStdio();
