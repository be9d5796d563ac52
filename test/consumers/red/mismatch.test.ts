import { call } from "./agent.ts";
import { mcp, test } from "./runner.ts";

test("weather", async () => {
  await call(mcp.url, "get_weather", { city: "seattle" });
  await call(mcp.url, "get_weather", { city: "Seattle" });
});
