import { mcp, test } from "./runner.ts";

test("is cut short before it uses its fake", async () => {
  await mcp.fake("search", { args: {}, result: "never" });
  await new Promise((resolve) => setTimeout(resolve, 1000));
}, 50);
