import { call } from "./agent.ts";
import { expect, mcp, test } from "./runner.ts";

/** The server warns of the one and refuses the other; the fake is used all the same. */
async function bookAgainstTheSchema(): Promise<void> {
  await mcp.loadFakes({
    tools: [
      {
        name: "book",
        inputSchema: { type: "object", properties: { days: { type: "number" } } },
        calls: [{ anyArgs: true, result: "booked" }],
      },
    ],
  });
  await call(mcp.url, "book", { days: "five" });
  const params = { name: "book", arguments: { days: 5 } };
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  await fetch(mcp.url, { method: "POST", headers, body });
}

test("fails on its own", async () => {
  await bookAgainstTheSchema();
  expect("rain").toBe("sun");
});

test("passes", bookAgainstTheSchema);

test("wants no verdict", async () => {
  mcp.verify("off");
  await bookAgainstTheSchema();
  expect("rain").toBe("sun");
});
