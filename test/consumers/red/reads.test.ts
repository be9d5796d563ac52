import { connect } from "./agent.ts";
import { mcp, test } from "./runner.ts";

test("handbook", async () => {
  const client = await connect(mcp.url);
  for (const uri of ["handbook://holidays", "handbook://holidays", "handbook://hollidays"]) {
    await client.readResource({ uri }).catch(() => {});
  }
  await client.callTool({ name: "book", arguments: { days: "five" } });
  await client.getPrompt({ name: "greet" }).catch(() => {});
  await client.close();
});
