import { MCPMock } from "../../../src/index.ts";

/** A stdio server of the sessions' era, which asks its client's user once `together` calls wait to ask. */
const mcp = new MCPMock({ protocolVersions: ["2025-11-25"] });
const waiting: (() => void)[] = [];
mcp.onToolCall("ask", async ({ together = 1 }: { together?: number }, { elicit }) => {
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
    if (waiting.length >= together) for (const go of waiting.splice(0)) go();
  });
  const { action } = await elicit({ message: "Sure?", requestedSchema: { type: "object", properties: {} } });
  return action;
});
await mcp.serveStdio();
