import { call } from "./agent.ts";
import { afterAll, beforeAll, describe, expect, mcp, test } from "./runner.ts";

let leftRunning: Promise<void> = Promise.resolve();

beforeAll(() => call(mcp.url, "used"));
afterAll(() => leftRunning);

describe("tickets", () => {
  test("works", async () => {
    await call(mcp.url, "create_ticket");
    await call(mcp.url, "used");
    const messages = [{ role: "user", content: "hello" }];
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ model: "gpt-4o", messages });
    const answer = await fetch(`${mcp.llm.openai}/chat/completions`, { method: "POST", headers, body });
    expect((await answer.json()).choices[0].message.content).toBe("Hello!");
  });

  test("keeps to itself that it was refused", async () => {
    const headers = { "content-type": "application/json" };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "delete_all" } };
    await fetch(mcp.url, { method: "POST", headers, body: JSON.stringify(message) });
    const images = `${mcp.llm.openai}/images/generations`;
    for (const body of ["{}", "{}"]) await fetch(images, { method: "POST", headers, body });
    expect(mcp).not.toHaveCalledTool("delete_all");
  });

  // biome-ignore lint/suspicious/noSkippedTests: what is said at the end counts with a skipped test
  test.skip("is skipped", () => {});

  test("does not wait for its agent", async () => {
    leftRunning = call(mcp.url, "slow");
    while (mcp.journal({ method: "POST" }).length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 100));
  });
});
