import { expect, test } from "vitest";
import { openEvents } from "../../_support/events.ts";
import { connect } from "../../_support/mcp.ts";
import { startMock } from "../../_support/server.ts";

const SESSIONS = 500;
const STREAMS = 200;

test("500 sessions with 200 open streams are all answered and told, and leave nothing behind", {
  timeout: 60_000,
}, async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.onToolCall("echo", (args) => JSON.stringify(args));
  const clients = await Promise.all(Array.from({ length: SESSIONS }, () => connect(mcpUrl)));
  const streams = await Promise.all(
    clients
      .slice(0, STREAMS)
      .map(({ sessionId }) => openEvents(mcpUrl, { accept: "text/event-stream", "mcp-session-id": sessionId })),
  );
  const answers = await Promise.all(clients.map((client, index) => client.call("echo", { index })));
  expect(answers.map(({ result }) => result?.content)).toEqual(
    clients.map((_, index) => [{ type: "text", text: JSON.stringify({ index }) }]),
  );
  mcp.notify.toolsChanged();
  const told = await Promise.all(streams.map((stream) => stream.take(2)));
  expect(told.map(([, event]) => event?.data)).toEqual(
    streams.map(() => ({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })),
  );
  expect(mcp.health().sessions).toBe(SESSIONS);
  mcp.reset();
  expect(mcp.health()).toEqual({ status: "ok", tools: 0, resources: 0, prompts: 0, sessions: 0 });
});
