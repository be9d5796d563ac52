import { call } from "./agent.ts";
import { mcp, test } from "./runner.ts";

test.concurrent("weather", async () => {
  await call(mcp.url, "get_weather", { city: "Seattle" });
  await call(mcp.url, "get_weather", { city: "Seattle" });
});
