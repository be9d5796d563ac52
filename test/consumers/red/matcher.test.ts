import { call } from "./agent.ts";
import { expect, mcp, test } from "./runner.ts";

test("weather", async () => {
  await call(mcp.url, "get_weather", { city: "Seattle" });
  expect(mcp).toHaveCalledTool("get_weather", { city: "Portland" });
});
