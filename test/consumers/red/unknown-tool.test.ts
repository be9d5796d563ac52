import { call } from "./agent.ts";
import { mcp, test } from "./runner.ts";

test("an open world", async () => {
  await call(mcp.url, "delete_account", { id: "u1" });
});
