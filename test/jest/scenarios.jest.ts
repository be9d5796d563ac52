import { describe, expect, test } from "@jest/globals";
import { mcp } from "mcp-fakes/jest";
import { connect } from "../consumers/shared/agent.ts";

describe("tickets", () => {
  test("retry on timeout", async () => {
    const client = await connect(mcp.url);
    const create = () => client.callTool({ name: "create_ticket", arguments: { title: "Refund" } });
    const first = await create();
    const second = first.isError === true ? await create() : first;
    await client.close();
    expect(second.content).toEqual([{ type: "text", text: "TICKET-42" }]);
    expect(mcp).toHaveCalledToolTimes("create_ticket", 2, { title: "Refund" });
  });
});

describe("weather", () => {
  test.concurrent("seattle", async () => {
    mcp.verify("failures"); // the model's turns of this scenario are not asked for here
    const client = await connect(mcp.url);
    const { structuredContent } = await client.callTool({ name: "get_weather", arguments: { city: "Seattle" } });
    await client.close();
    expect(structuredContent).toEqual({ tempF: 60, conditions: "rain" });
    expect(mcp).toHaveNoFakeFailures();
  });
});
