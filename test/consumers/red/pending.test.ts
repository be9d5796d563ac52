import { connect } from "./agent.ts";
import { afterAll, mcp, test } from "./runner.ts";

let close: () => Promise<void> = async () => {};
afterAll(() => close());

test("gives up", async () => {
  await mcp.fake("search", { args: { q: "x" }, result: "late", delayMs: 20_000 });
  const client = await connect(mcp.url);
  close = () => client.close();
  await client.listTools();
  client.callTool({ name: "search", arguments: { q: "x" } }).catch(() => {});
  while (JSON.stringify(mcp.fakes()).includes('"consumed":false')) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("gives up");
});
