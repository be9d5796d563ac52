import { mcp } from "mcp-fakes/vitest";
import { expect, test } from "vitest";
import { call } from "./agent.ts";

test("expect.poll sees a call that comes later", async () => {
  const later = new Promise((resolve) => setTimeout(resolve, 60)).then(() =>
    call(mcp.url, "search", { query: "cats" }),
  );
  expect(mcp).not.toHaveCalledTool("search");
  await expect.poll(() => mcp, { interval: 10, timeout: 20_000 }).toHaveCalledTool("search", { query: "cats" });
  await later;
});
