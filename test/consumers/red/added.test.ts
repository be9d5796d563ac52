import { call } from "./agent.ts";
import { expect, mcp, test } from "./runner.ts";

interface Place {
  readonly city: string;
}

const SEATTLE: Place = { city: "Seattle" };

test("fakes of its own", async () => {
  await mcp.fake("get_weather", { args: { ...SEATTLE }, result: "rain" });
  await mcp.loadFakes({
    tools: [{ name: "get_forecast", calls: [{ args: { ...SEATTLE }, result: "sun" }] }],
  });
  await call(mcp.url, "get_weather", { ...SEATTLE });
  await call(mcp.url, "get_weather", { ...SEATTLE });
});

test("a matcher", async () => {
  await mcp.fake("get_weather", { args: { ...SEATTLE }, result: "rain" });
  expect(mcp).toHaveConsumedAllFakes();
});
