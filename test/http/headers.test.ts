import { expect, test } from "vitest";
import { send } from "../_support/http.ts";
import { MCP_HEADERS } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";

test("the journal shows of each request the headers that it had, whatever the one before it had", async () => {
  const { mcpUrl, url } = await startMock();
  const asked = [
    { one: "1", two: "2" },
    { one: "1" },
    { one: "1" },
    { one: "1", two: "other" },
    { two: "2", one: "1" },
  ];
  for (const headers of asked) {
    await send(mcpUrl, { method: "POST", headers: { ...MCP_HEADERS, ...headers }, body: "{}" });
  }
  const journal = (await send(`${url}/__aimock/journal`)).json() as { headers: Record<string, string> }[];
  expect(journal.map(({ headers: { one, two } }) => ({ one, two }))).toEqual(
    asked.map(({ one, two }) => ({ one, two })),
  );
  expect(journal[0]?.headers).toMatchObject(MCP_HEADERS);
});
