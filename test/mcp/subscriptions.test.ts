import { expect, onTestFinished, test } from "vitest";
import { MCPMock } from "../../src/index.ts";
import { WIRES } from "../_support/wires.ts";

const STATELESS = WIRES.filter(({ era }) => era === "stateless");

test.each(STATELESS)("$name: a subscription hears what it asked for, and nothing else", async ({ connect }) => {
  const mcp = new MCPMock();
  const { client, heard } = await connect(mcp);
  const subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: ["file:///a"] });
  onTestFinished(() => subscription.close());
  mcp.notify.promptsChanged();
  mcp.notify.resourceUpdated("file:///b");
  mcp.notify.resourceUpdated("file:///a");
  mcp.notify.toolsChanged();
  await expect
    .poll(() => heard.map(({ method }) => method))
    .toEqual(["notifications/resources/updated", "notifications/tools/list_changed"]);
});

test.each(STATELESS)("$name: a subscription is acknowledged with what the server can honour", async ({ connect }) => {
  const mcp = new MCPMock({ capabilities: { tools: { listChanged: true }, prompts: {}, resources: {} } });
  const { client } = await connect(mcp);
  const asked = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ["file:///a"] };
  const subscription = await client.listen(asked);
  onTestFinished(() => subscription.close());
  expect(subscription.honoredFilter).toEqual({ toolsListChanged: true });
});

test.each(STATELESS)("$name: a subscription ends with its result when the server stops", async ({ connect }) => {
  const mcp = new MCPMock();
  const { client } = await connect(mcp);
  const subscription = await client.listen({ toolsListChanged: true });
  await mcp.stop();
  await subscription.closed;
});
