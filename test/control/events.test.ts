import { expect, test } from "vitest";
import { openEvents } from "../_support/events.ts";
import { send } from "../_support/http.ts";
import { connect } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";

test("each new journal record is streamed as the journal shows it, and only those asked for", async () => {
  const { url, mcpUrl, mcp } = await startMock();
  mcp.onToolCall("search", () => "found");
  const client = await connect(mcpUrl, { headers: { "X-Test-Id": "t" } });
  const other = await connect(mcpUrl);
  const events = await openEvents(`${url}/__aimock/events?testId=t`);

  await client.call("search", { query: "a" });
  await other.call("search", { query: "of another test" });
  await client.call("search", { query: "b" });

  const seen = await events.take(2);
  const journal = (await send(`${url}/__aimock/journal?testId=t`)).json() as unknown[];
  expect(seen.map(({ data }) => data)).toEqual(journal.slice(-2));
  expect(seen.map(({ event }) => event)).toEqual(["record", "record"]);
});

test("a reader that was cut off gets what it missed by Last-Event-ID", async () => {
  const { url, mcpUrl } = await startMock();
  const client = await connect(mcpUrl);
  const events = await openEvents(`${url}/__aimock/events`);
  await client.request("ping");
  const [last] = await events.take(1);
  await client.request("tools/list");
  await client.request("prompts/list");

  const again = await openEvents(`${url}/__aimock/events`, { "Last-Event-ID": last?.id ?? "" });
  await client.request("resources/list");
  const seen = await again.take(3);
  expect(seen.map(({ data }) => data)).toMatchObject(
    ["tools/list", "prompts/list", "resources/list"].map((method) => ({ mcp: { method } })),
  );
});

test("a stream carries the request's id too", async () => {
  const { url } = await startMock();
  const abort = new AbortController();
  const headers = { "X-Request-Id": "mine" };
  const { headers: told } = await fetch(`${url}/__aimock/events`, { headers, signal: abort.signal });
  abort.abort();
  expect([told.get("x-request-id"), told.get("content-type")]).toEqual(["mine", "text/event-stream"]);
});

test("a stream ends when its server stops", async () => {
  const { llm, url } = await startMock();
  const events = await openEvents(`${url}/__aimock/events`);
  await llm.stop();
  await expect(events.take(1)).rejects.toThrow("the stream ended after 0 of 1 events");
});
