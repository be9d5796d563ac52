import { call } from "./agent.ts";
import { mcp, test } from "./runner.ts";

test("weather", async () => {
  await call(mcp.url, "get_weather", { city: "Seattle" });
  await call(mcp.url, "delete_account", { id: "u1" });
});
