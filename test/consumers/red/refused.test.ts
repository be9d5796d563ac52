import { mcp, test } from "./runner.ts";

test("weather", async () => {
  const params = { name: "get_weather", arguments: { city: "Seattle" } };
  await fetch(mcp.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
});
