import { expect, onTestFinished, test } from "vitest";
import { MCPMock } from "../../../src/index.ts";
import { openEvents } from "../../_support/events.ts";
import { send } from "../../_support/http.ts";
import { connect, type RawClient, type RawClientOptions } from "../../_support/mcp.ts";

async function start(prepare: (mcp: MCPMock) => void = () => {}): Promise<{ mcp: MCPMock; url: string }> {
  const mcp = new MCPMock();
  prepare(mcp);
  onTestFinished(() => mcp.stop());
  return { mcp, url: await mcp.start() };
}

/** A tool that logs a line and answers. */
function addChatty(mcp: MCPMock): void {
  mcp.onToolCall("chatty", (_args, context) => {
    context.log("info", "a line");
    return "done";
  });
}

const CALL = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "chatty" } };
const LINE = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"a line"}}';
const DONE = '{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"done"}],"isError":false}}';

test("a call that says something first is answered as a stream, whose events can be resumed", async () => {
  const { url } = await start(addChatty);
  const reply = await (await connect(url)).post(CALL);
  expect(reply.headers["content-type"]).toBe("text/event-stream");
  expect(reply.text).toBe(
    `id: call1-0\ndata: \n\nevent: message\nid: call1-1\ndata: ${LINE}\n\nevent: message\nid: call1-2\ndata: ${DONE}\n\n`,
  );
});

test("before 2025-11-25 a stream begins with no empty event, which older clients cannot read", async () => {
  const { url } = await start(addChatty);
  const reply = await (await connect(url, { protocolVersion: "2025-06-18" })).post(CALL);
  expect(reply.text).toBe(
    `event: message\nid: call1-1\ndata: ${LINE}\n\nevent: message\nid: call1-2\ndata: ${DONE}\n\n`,
  );
});

test("a client whose connection was lost gets the rest of the stream with Last-Event-ID", async () => {
  const { url } = await start(addChatty);
  const client = await connect(url);
  await client.post(CALL);
  expect(await resume(url, client, "call1-1")).toContain(`id: call1-2\ndata: ${DONE}\n\n`);
  expect(await resume(url, client, "call1-2")).not.toContain("data: {");
  const unknown = await resume(url, client, "call9-1");
  expect(JSON.parse(unknown).error.message).toBe('Bad Request: Last-Event-ID "call9-1" names no event of this session');
});

test("a call may close its connection and answer when the client comes back", async () => {
  const { url } = await start((mcp) =>
    mcp.onToolCall("slow", async (_args, context) => {
      context.closeStream(20);
      return "late";
    }),
  );
  const client = await connect(url);
  const first = await client.post({ ...CALL, params: { name: "slow" } });
  expect(first.text).toBe("id: call1-0\ndata: \n\nid: call1-0\nretry: 20\ndata: \n\n");
  expect(await resume(url, client, "call1-0")).toContain('"text":"late"');
});

test("a batch in which one call says something is answered as a stream of all its answers", async () => {
  const { url } = await start(addChatty);
  const client = await connect(url, { protocolVersion: "2025-03-26" });
  const reply = await client.post([{ jsonrpc: "2.0", id: 6, method: "ping" }, CALL]);
  const events = [...reply.text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data);
  expect(events).toEqual(['{"jsonrpc":"2.0","id":6,"result":{}}', LINE, DONE]);
});

test("a cancelled call ends its stream without an answer", async () => {
  const { url } = await start((mcp) => mcp.onToolCall("chatty", () => new Promise(() => {})));
  const client = await connect(url);
  const call = client.post(CALL);
  await expect
    .poll(async () => {
      await client.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
      return Promise.race([call.then(({ text }) => text), new Promise((resolve) => setTimeout(resolve, 50))]);
    })
    .toBe("id: call1-0\ndata: \n\n");
});

test("a question that the client did not offer to answer is a tool error, in every revision that has it", async () => {
  const { url } = await start((mcp) =>
    mcp.onToolCall("ask", (_args, context) => context.elicit({ message: "?", requestedSchema: {} })),
  );
  const ask = async (options: RawClientOptions) => (await (await connect(url, options)).call("ask")).result?.content;
  expect(await ask({})).toEqual([
    {
      type: "text",
      text: 'The client cannot be sent elicitation/create: it did not declare the capability {"elicitation":{}} at initialize',
    },
  ]);
  expect(await ask({ protocolVersion: "2025-03-26" })).toEqual([
    { type: "text", text: "MCP 2025-03-26 has no elicitation: it came with 2025-06-18" },
  ]);
});

test("logging/setLevel takes the levels of the specification", async () => {
  const { url } = await start(addChatty);
  const client = await connect(url);
  expect((await client.request("logging/setLevel", { level: "loud" })).error?.message).toBe(
    'Invalid log level "loud": expected one of debug, info, notice, warning, error, critical, alert, emergency',
  );
  expect((await client.request("logging/setLevel", { level: "error" })).result).toEqual({});
  expect((await client.post(CALL)).text).toBe(DONE);
});

test("changes and updates reach the session's stream, also those from before it was opened", async () => {
  const { mcp, url } = await start();
  const client = await connect(url);
  await client.request("resources/subscribe", { uri: "file:///a" });
  mcp.notify.toolsChanged();
  const stream = await openEvents(url, streamHeaders(client));
  mcp.notify.resourceUpdated("file:///b");
  mcp.notify.resourceUpdated("file:///a");
  mcp.notify.promptsChanged({ testId: "another test" });
  mcp.notify.resourcesChanged();
  const [, ...events] = await stream.take(4);
  expect(events.map(({ id, data }) => [id, data])).toEqual([
    ["main-1", { jsonrpc: "2.0", method: "notifications/tools/list_changed" }],
    ["main-2", { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: "file:///a" } }],
    ["main-3", { jsonrpc: "2.0", method: "notifications/resources/list_changed" }],
  ]);
  await client.request("resources/unsubscribe", { uri: "file:///a" });
  mcp.notify.resourceUpdated("file:///a");
  mcp.notify.promptsChanged();
  expect((await stream.take(1))[0]?.data).toMatchObject({ method: "notifications/prompts/list_changed" });
});

test("a client's answer that nobody waits for is taken and forgotten", async () => {
  const { url } = await start();
  const reply = await (await connect(url)).post({ jsonrpc: "2.0", id: "server-1", result: {} });
  expect([reply.status, reply.text]).toEqual([202, ""]);
});

function streamHeaders(client: RawClient): Record<string, string> {
  return { accept: "text/event-stream", "mcp-session-id": client.sessionId };
}

/** What a resumed stream holds; of one that stays open, what comes until the server ends it. */
async function resume(url: string, client: RawClient, lastEventId: string): Promise<string> {
  const headers = { ...streamHeaders(client), "last-event-id": lastEventId };
  return (await send(url, { headers })).text;
}
