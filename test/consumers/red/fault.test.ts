import { call } from "./agent.ts";
import { mcp, test } from "./runner.ts";

test("pays at the second try", async () => {
  await call(mcp.url, "pay");
});
